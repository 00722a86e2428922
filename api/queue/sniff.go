package queue

import (
	"bytes"
	"encoding/binary"
)

// sniffImage reads kind and size off the header; media is empty for anything else, SVG included.
func sniffImage(b []byte) (media string, width, height uint32) {
	le, be := binary.LittleEndian, binary.BigEndian
	switch {
	case bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")):
		if len(b) < 24 || string(b[12:16]) != "IHDR" {
			return "image/png", 0, 0
		}
		return "image/png", be.Uint32(b[16:]), be.Uint32(b[20:])
	case bytes.HasPrefix(b, []byte("GIF87a")), bytes.HasPrefix(b, []byte("GIF89a")):
		if len(b) < 10 {
			return "image/gif", 0, 0
		}
		return "image/gif", uint32(le.Uint16(b[6:])), uint32(le.Uint16(b[8:]))
	case bytes.HasPrefix(b, []byte("\xff\xd8\xff")):
		width, height = jpegSize(b)
		return "image/jpeg", width, height
	case len(b) >= 16 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP":
		width, height = webpSize(b)
		return "image/webp", width, height
	}
	return "", 0, 0
}

// jpegSize walks the segments to the frame header (ITU T.81 §B.2).
func jpegSize(b []byte) (width, height uint32) {
	for i := 2; i+9 <= len(b) && b[i] == 0xff; {
		marker := b[i+1]
		switch {
		case marker == 0xff: // fill
			i++
			continue
		case marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc:
			return uint32(binary.BigEndian.Uint16(b[i+7:])), uint32(binary.BigEndian.Uint16(b[i+5:]))
		case marker == 0x01 || marker >= 0xd0 && marker <= 0xd9: // without a length
			i += 2
		default:
			i += 2 + int(binary.BigEndian.Uint16(b[i+2:]))
		}
	}
	return 0, 0
}

// webpSize reads the first chunk: lossy, lossless or extended (RFC 9649 §2).
func webpSize(b []byte) (width, height uint32) {
	le := binary.LittleEndian
	switch string(b[12:16]) {
	case "VP8 ":
		if len(b) >= 30 && string(b[23:26]) == "\x9d\x01\x2a" {
			return uint32(le.Uint16(b[26:])) & 0x3fff, uint32(le.Uint16(b[28:])) & 0x3fff
		}
	case "VP8L":
		if len(b) >= 25 && b[20] == 0x2f {
			bits := le.Uint32(b[21:])
			return bits&0x3fff + 1, bits>>14&0x3fff + 1
		}
	case "VP8X":
		if len(b) >= 30 {
			three := func(at int) uint32 { return uint32(b[at]) | uint32(b[at+1])<<8 | uint32(b[at+2])<<16 }
			return three(24) + 1, three(27) + 1
		}
	}
	return 0, 0
}
