# The daemon alone, as a static program. Agents come in an image of your own, which takes the program from this one (README.md, Container).
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=
# The folders of the image: data and work are volumes, objects is for one that nodes share; they belong to the user that runs the program.
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X github.com/ringmaster-agents/ringmaster/cmd/ringmaster/command.released=$VERSION" \
      -o /image/ringmaster ./cmd/ringmaster \
 && mkdir -p /image/data /image/work /image/objects /image/tmp /image/etc/ssl/certs && chmod 1777 /image/tmp \
 && cp /etc/ssl/certs/ca-certificates.crt /image/etc/ssl/certs/

FROM scratch
COPY --from=build --chown=65532:65532 /image/ /
USER 65532:65532
# The data folder is one inside the volume: the daemon makes it for its user alone, whatever the mode of the volume is.
ENV HOME=/data RINGMASTER_DATA=/data/ringmaster
VOLUME ["/data", "/work"]
WORKDIR /work
# It listens on the container's own loopback and on the socket in its data folder. The daemon reaps what agents leave behind, so no init is needed.
EXPOSE 7433
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["/ringmaster", "status"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["/ringmaster"]
CMD ["serve", "--root", "/work"]
