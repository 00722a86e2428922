package s3

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
)

// errBeyond says that a range begins behind an object's end.
var errBeyond = errors.New("the range is beyond the object's end")

const (
	hintKeys      = "see to the keys, " + idName + " and " + secretName + " or the file of them: the server does not know them, or they have expired"
	hintRights    = "give the owner of the keys the rights to put, get, list and delete objects of the bucket"
	hintBucket    = "make the bucket, or name another one"
	hintClock     = "set this machine's clock: the server refuses signatures of another time"
	hintRegion    = "the bucket is in another region, or at another address: name it with region= and endpoint="
	hintTLS       = "the server has no certificate that this machine trusts, or speaks no TLS: see to the endpoint, and to who may vouch for it"
	hintRange     = "the server, or a proxy before it, ignores Range"
	hintCondition = "the server has no conditional puts (If-None-Match: *): use a newer version of it, or another one"
)

// access are the codes of servers that refuse the caller, with hints.
var access = map[string]string{
	"InvalidAccessKeyId": hintKeys, "SignatureDoesNotMatch": hintKeys, "InvalidToken": hintKeys, "ExpiredToken": hintKeys, "TokenRefreshRequired": hintKeys,
	"XAdminUserNotFound": hintKeys, // of versitygw, with status 404
	"AccessDenied":       hintRights, "AllAccessDisabled": hintRights, "AccountProblem": hintRights, "MethodNotAllowed": hintRights,
	"NoSuchBucket": hintBucket, "InvalidBucketName": hintBucket,
	"RequestTimeTooSkewed": hintClock, "RequestExpired": hintClock,
	"AuthorizationHeaderMalformed": hintRegion, "PermanentRedirect": hintRegion, "TemporaryRedirect": hintRegion, "InvalidRegion": hintRegion,
	"IllegalLocationConstraintException": hintRegion, "NotImplemented": hintCondition,
}

// told gives an error the type that the contract wants. Errors of the client name host, bucket and key, and never the keys of the caller.
func told(ctx context.Context, op, key string, err error) error {
	var none *keysError
	var answer minio.ErrorResponse
	switch {
	case err == nil || objects.Typed(err) || errors.Is(err, errBeyond):
		return err
	case errors.As(err, &none):
		return &objects.AccessError{Op: op, Err: err, Hint: hintKeys}
	case ctx.Err() != nil:
		return &objects.AwayError{Op: op, Err: context.Cause(ctx)}
	case errors.As(err, &answer) && answer.StatusCode != 0:
		return answered(op, key, answer)
	case isTLS(err):
		return &objects.AccessError{Op: op, Err: err, Hint: hintTLS}
	}
	return &objects.AwayError{Op: op, Err: err}
}

// answered is told for what the server said.
func answered(op, key string, a minio.ErrorResponse) error {
	hint, isAccess := access[a.Code]
	switch status := a.StatusCode; {
	case a.Code == "NoSuchKey" && key != "":
		return &objects.NotFoundError{Op: op, Key: key}
	case status == http.StatusRequestedRangeNotSatisfiable:
		return errBeyond
	case a.Code == "RequestTimeout" || a.Code == "SlowDown":
	case strings.HasSuffix(a.Code, "QuotaExceeded") || strings.HasSuffix(a.Code, "StorageFull") || status == http.StatusInsufficientStorage:
		return &objects.FullError{Op: op, Err: a}
	case isAccess:
		return &objects.AccessError{Op: op, Err: a, Hint: hint}
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return &objects.AccessError{Op: op, Err: a, Hint: hintRights}
	case status >= 300 && status < 400:
		return &objects.AccessError{Op: op, Err: a, Hint: hintRegion}
	case status == http.StatusNotImplemented:
		return &objects.AccessError{Op: op, Err: a, Hint: hintCondition}
	case status == http.StatusRequestTimeout, status == http.StatusConflict, status == http.StatusTooManyRequests:
	case status >= 400 && status < 499: // 499 is a proxy's word for a caller that has gone
		return &objects.RefusedError{Op: op, Err: a}
	}
	return &objects.AwayError{Op: op, Err: a}
}

// isTLS says that no connection comes about, however often it is tried.
func isTLS(err error) bool {
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var record tls.RecordHeaderError
	return errors.As(err, &certificate) || errors.As(err, &authority) || errors.As(err, &record) ||
		strings.Contains(err.Error(), "server gave HTTP response to HTTPS client")
}
