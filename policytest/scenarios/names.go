package scenarios

// names are given names, for people, guests and agents.
func names() []string {
	return []string{
		"abel", "ada", "ama", "anouk", "bao", "bela", "carl", "chidi", "dara", "dilan", "edda", "emre", "esi", "fadi", "flor", "goran",
		"greta", "hana", "hugo", "ida", "ines", "iris", "jaro", "jun", "kaya", "kofi", "lars", "leila", "lior", "mara", "milo", "nadia",
		"nils", "noor", "olga", "oran", "pia", "priya", "rafi", "rosa", "sami", "selma", "tariq", "teo", "uma", "vera", "wim", "xenia",
		"yara", "zeno",
	}
}

// places are names of channels.
func places() []string {
	return []string{
		"attic", "boathouse", "canteen", "cellar", "corner", "deck", "east-wing", "forge", "garden", "hall", "island", "jetty", "kitchen",
		"library", "loft", "market", "nursery", "office", "pier", "quarry", "roof", "stairs", "tower", "upper-floor", "vault", "west-wing",
		"workshop", "yard",
	}
}
