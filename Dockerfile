# syntax=docker/dockerfile:1

FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=
# cgo compiles SQLite in; the program then needs the C library of the same Debian release. The tag is
# the one of the Makefile, which says what it is for.
RUN CGO_ENABLED=1 go build -trimpath -tags sqlite_fts5 \
      -ldflags "-s -w -X main.version=${VERSION}" -o /out/pdp ./cmd/pdp

FROM debian:bookworm-slim
RUN groupadd --system --gid 10001 earshot \
 && useradd --system --uid 10001 --gid earshot --no-create-home --shell /usr/sbin/nologin earshot \
 && install -d -o earshot -g earshot -m 0700 /var/lib/earshot
COPY --from=build /out/pdp /usr/local/bin/pdp
COPY --from=build /src/LICENSE /usr/share/doc/earshot/LICENSE
USER earshot
ENV EARSHOT_DATA=/var/lib/earshot
VOLUME /var/lib/earshot
EXPOSE 8181
# Without a configured token the server refuses to listen beyond loopback, so a container started
# with nothing else stops with a sentence that says what to configure.
ENV EARSHOT_ADDR=0.0.0.0:8181
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["pdp", "health", "--addr", "127.0.0.1:8181"]
ENTRYPOINT ["pdp"]
CMD ["serve"]
