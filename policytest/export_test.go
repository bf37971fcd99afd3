package policytest

// CheckNames finds one of names in the text of an answer.
func CheckNames(text string, names []string) string {
	return checkNames(&told{text: text, names: names})
}
