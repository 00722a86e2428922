package queue

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// headersOf are the smallest headers of each kind.
func headersOf(w, h int) map[string][]byte {
	be16 := func(n int) string { return string([]byte{byte(n >> 8), byte(n)}) }
	le16 := func(n int) string { return string([]byte{byte(n), byte(n >> 8)}) }
	le24 := func(n int) string { return string([]byte{byte(n), byte(n >> 8), byte(n >> 16)}) }
	bits := uint32(w-1) | uint32(h-1)<<14
	return map[string][]byte{
		"image/png":  []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00" + be16(w) + "\x00\x00" + be16(h) + "\x08\x06\x00\x00\x00"),
		"image/gif":  []byte("GIF89a" + le16(w) + le16(h) + "\x00\x00\x00"),
		"image/jpeg": []byte("\xff\xd8\xff\xe0\x00\x04JF\xff\xff\xc2\x00\x0b\x08" + be16(h) + be16(w) + "\x01\x01\x11\x00"),
		"image/webp": []byte("RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00" + le24(w-1) + le24(h-1)),
		"lossless": []byte("RIFF\x00\x00\x00\x00WEBPVP8L\x0a\x00\x00\x00\x2f" +
			string([]byte{byte(bits), byte(bits >> 8), byte(bits >> 16), byte(bits >> 24)}) + "\x00\x00\x00\x00\x00"),
		"lossy": []byte("RIFF\x00\x00\x00\x00WEBPVP8 \x0a\x00\x00\x00\x00\x00\x00\x9d\x01\x2a" + le16(w) + le16(h) + "\x00\x00"),
	}
}

// TestKindsOfImages: kind and size are read off the header, of a file that was cut as well, and what has too many pixels does not pass.
func TestKindsOfImages(t *testing.T) {
	for name, data := range headersOf(640, 480) {
		media := name
		if !strings.Contains(name, "/") {
			media = "image/webp"
		}
		if got, w, hh := sniffImage(data); got != media || w != 640 || hh != 480 {
			t.Errorf("%s: sniffed as %s %d×%d", name, got, w, hh)
		}
		for n := range data { // cut anywhere: no panic, and no size out of nothing
			if _, w, hh := sniffImage(data[:n]); w != 0 && w != 640 || hh != 0 && hh != 480 {
				t.Errorf("%s cut at %d: %d×%d", name, n, w, hh)
			}
		}
		if bomb := headersOf(16000, 16000)[name]; checkImage(&resource.PromptImage{MediaType: media, Data: bomb}) == nil {
			t.Errorf("%s of 256 million pixels passes", name)
		}
	}
}
