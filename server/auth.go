package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
)

// Scopes of a credential.
const (
	// ScopeDecide is for asking for decisions.
	ScopeDecide = "decide"

	// ScopeAudit is for reading decisions and explanations, which name people.
	ScopeAudit = "audit"

	// ScopeSeal is for having labels sealed that this service did not see being recorded.
	ScopeSeal = "seal"

	// ScopeAdmin is for what changes the service or its log, such as an erasure.
	ScopeAdmin = "admin"
)

// Credential is one bearer token that is let in (RFC 6750).
type Credential struct {
	// Name stands in the record of every decision that was asked for with it.
	Name string

	// SHA256 is the hash of the token in lower-case hex. The token itself is kept nowhere, and must
	// be long and random, since the hash is a plain one.
	SHA256 string

	// Scopes are what the credential may do.
	Scopes []string

	// Tenant binds the credential to one tenant; empty for all.
	Tenant string
}

// caller is who a request comes from.
type caller struct {
	name   string
	scopes []string
	tenant string
}

// keyring knows the credentials.
type keyring struct {
	callers []caller
	hashes  [][sha256.Size]byte
}

func newKeyring(credentials []Credential) (*keyring, error) {
	k := &keyring{}
	for _, c := range credentials {
		hash, err := hex.DecodeString(c.SHA256)
		switch {
		case c.Name == "":
			return nil, fmt.Errorf("server: a credential has no name")
		case slices.ContainsFunc(k.callers, func(other caller) bool { return other.name == c.Name }):
			return nil, fmt.Errorf("server: credential %q is given twice", c.Name)
		case err != nil || len(hash) != sha256.Size:
			return nil, fmt.Errorf("server: credential %q: give the SHA-256 of its token in 64 hex digits", c.Name)
		case slices.Contains(k.hashes, [sha256.Size]byte(hash)):
			return nil, fmt.Errorf("server: credential %q has the token of another one", c.Name)
		case len(c.Scopes) == 0:
			return nil, fmt.Errorf("server: credential %q has no scope", c.Name)
		}
		for _, scope := range c.Scopes {
			if !slices.Contains(Scopes(), scope) {
				return nil, fmt.Errorf("server: credential %q: %q is not a scope; choose from %s",
					c.Name, scope, strings.Join(Scopes(), ", "))
			}
		}
		k.callers = append(k.callers, caller{name: c.Name, scopes: slices.Clone(c.Scopes), tenant: c.Tenant})
		k.hashes = append(k.hashes, [sha256.Size]byte(hash))
	}
	return k, nil
}

// Scopes are all scopes that a credential can have.
func Scopes() []string { return []string{ScopeDecide, ScopeAudit, ScopeSeal, ScopeAdmin} }

// authenticate returns who the request comes from. Without credentials that is everybody.
func (k *keyring) authenticate(h http.Header) (caller, error) {
	if len(k.callers) == 0 {
		return caller{scopes: Scopes()}, nil
	}
	given := h.Values("Authorization")
	if len(given) != 1 {
		return caller{}, refuse(codeUnauthenticated, "")
	}
	scheme, token, _ := strings.Cut(given[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return caller{}, refuse(codeUnauthenticated, "")
	}
	hash := sha256.Sum256([]byte(strings.TrimLeft(token, " ")))
	found := -1
	for i := range k.hashes { // all of them, so that the time says nothing about the place
		if subtle.ConstantTimeCompare(hash[:], k.hashes[i][:]) == 1 {
			found = i
		}
	}
	if found < 0 {
		return caller{}, refuse(codeUnauthenticated, "")
	}
	return k.callers[found], nil
}

const keyCaller = "earshot.caller"

// allow lets in only callers with a scope.
func (s *Server) allow(scope string) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			from, err := s.keyring.authenticate(c.Request().Header)
			if err != nil {
				return err
			}
			about(c).requestedBy = from.name
			if err := from.need(scope); err != nil {
				return err
			}
			c.Set(keyCaller, from)
			return next(c)
		}
	}
}

// callerOf returns who passed allow. Without it the zero caller may do nothing.
func callerOf(c echo.Context) caller {
	from, _ := c.Get(keyCaller).(caller)
	return from
}

// need returns an error unless the caller has a scope.
func (from caller) need(scope string) error {
	if slices.Contains(from.scopes, scope) {
		return nil
	}
	return refuse(codeForbidden, fmt.Sprintf("The request needs a credential with the scope %q.", scope))
}

// enter returns an error if the caller is bound to another tenant.
func (from caller) enter(tenant string) error {
	switch {
	case from.tenant == "" || from.tenant == tenant:
		return nil
	case tenant == "":
		return refuse(codeForbidden, "The credential is bound to a tenant. Name that tenant in turn.tenant.")
	default:
		return refuse(codeForbidden, "The credential is bound to another tenant. Use a credential of the tenant that the request names.")
	}
}
