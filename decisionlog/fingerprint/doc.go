// Package fingerprint makes fingerprints of text by winnowing (Schleimer, Wilkerson, Aiken: Winnowing:
// Local Algorithms for Document Fingerprinting, SIGMOD 2003), so that text of one item is found again
// inside another text while the text itself is kept nowhere.
//
// What it promises: two texts of which each has MaxPrints fingerprints at most, and which share a run
// of Run characters, share a fingerprint. Two texts that share no run of Gram characters share none,
// but by a chance of one in 2^64 for a pair of fingerprints. Without the key nobody can test a guess.
//
// Characters are those of the normal form: NFKC (Unicode TR15), case folded, letters and digits only.
// So spaces, punctuation, line breaks, markup, letter case, widths and ligatures make no difference.
//
// What it cannot see: another wording, a translation, a word changed in every few, letters replaced by
// ones that look alike in another script, an encoding such as base64, a text that is shorter than Run,
// which has no fingerprints, and in a text of more than MaxPrints fingerprints a run whose fingerprints
// were not kept.
package fingerprint
