package post

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// SecretPrefix begins every secret, by the rules of Standard Webhooks.
const SecretPrefix = "whsec_"

// NewSecret makes a secret of 256 random bits.
func NewSecret() string {
	bits := make([]byte, 32)
	_, _ = rand.Read(bits) // never fails
	return SecretPrefix + base64.StdEncoding.EncodeToString(bits)
}

// signatures are those of a message, one for each secret.
func signatures(secrets []string, id, timestamp, body string) string {
	all := make([]string, 0, len(secrets))
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, SecretPrefix))
		if err != nil {
			continue // this program has made it
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + timestamp + "." + body))
		all = append(all, "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	}
	return strings.Join(all, " ")
}
