package wire

import "earshot/policy"

// Scan reads body as Decision does, where it is ordinary.
func (d *Decoder) Scan(body []byte) (policy.Request, bool) {
	return scan(body, d.limits, d.audiences)
}

// Reference reads body without the scanner.
func Reference(body []byte, limits Limits) (policy.Request, error) {
	return decode(body, limits, (*reader).decision)
}
