package server

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
)

// anyHost in Config.Hosts takes every host.
const anyHost = "*"

// checkHost refuses requests that were meant for another host, where no token is asked for. A browser
// sends the name that its page was loaded from; a page elsewhere can have its name lead to this
// machine, but it cannot change that name.
func (s *Server) checkHost(next echo.HandlerFunc) echo.HandlerFunc {
	if len(s.config.Auth) > 0 || slices.Contains(s.config.Hosts, anyHost) {
		return next
	}
	return func(c echo.Context) error {
		if !s.isOwnHost(c.Request()) {
			return refuse(codeForbidden, "The Host header names another host than this service answers for. "+
				"Ask for it as localhost or by its address, or have its operator add the name to the allowed hosts.")
		}
		return next(c)
	}
}

func (s *Server) isOwnHost(r *http.Request) bool {
	host := strings.TrimSuffix(strings.ToLower(hostOf(r.Host)), ".")
	if host == "localhost" {
		return true
	}
	for _, own := range s.config.Hosts {
		if strings.EqualFold(own, host) && host != "" {
			return true
		}
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	address = address.Unmap()
	return address.IsLoopback() || address == localAddress(r)
}

// hostOf returns a Host header without its port and without the brackets of IPv6.
func hostOf(header string) string {
	if host, _, err := net.SplitHostPort(header); err == nil {
		return host
	}
	return strings.TrimSuffix(strings.TrimPrefix(header, "["), "]")
}

// localAddress returns the address of this machine that the connection came in on; the zero address
// where that is not known.
func localAddress(r *http.Request) netip.Addr {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return netip.Addr{}
	}
	at, err := netip.ParseAddrPort(local.String())
	if err != nil {
		return netip.Addr{}
	}
	return at.Addr().Unmap().WithZone("")
}
