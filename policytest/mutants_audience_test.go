package policytest_test

// Files of the bundle that mutants change.
const (
	audiencesRego = "earshot/audiences/audiences.rego"
	ambiguityRego = "earshot/viewers/ambiguity.rego"
	viewersRego   = "earshot/viewers/viewers.rego"
	agentsRego    = "earshot/agents/agents.rego"
	decisionRego  = "earshot/decision.rego"
)

// ruleRego returns the file of a rule.
func ruleRego(code string) string { return "earshot/rules/" + code + "/" + code + ".rego" }

// Conditions that several mutants change.
const (
	viewerNotMember = "some viewer in viewers.present\n\tnot viewer in input.candidate.audience.members"
	viewerNotSource = "some viewer in viewers.present\n\tnot viewer in source.audience.members"
)

// regoAboutAudiences are wrong readings of who heard an item.
func regoAboutAudiences() []mutant {
	// member changes how a viewer is looked up on a list, of an item and of a source.
	member := func(mistake, found string) mutant {
		return rego(mistake, "ids",
			edit{audiencesRego, viewerNotMember, "some viewer in viewers.present\n\tcount([m | some m in input.candidate.audience.members; " + found + "]) == 0"},
			edit{audiencesRego, viewerNotSource, "some viewer in viewers.present\n\tcount([m | some m in source.audience.members; " + found + "]) == 0"},
		)
	}
	public := "\tinput.candidate.audience.kind == \"public\"\n\tnot _source_below_public"
	return []mutant{
		rego("any overlap instead of subset", "joins_and_leaves",
			edit{audiencesRego, viewerNotMember, "count(viewers.present & {m | some m in input.candidate.audience.members}) == 0"},
			edit{audiencesRego, viewerNotSource, "count(viewers.present & {m | some m in source.audience.members}) == 0"}),
		rego("more than half of the viewers is enough", "guests",
			edit{audiencesRego, viewerNotMember, "2 * count(viewers.present & {m | some m in input.candidate.audience.members}) <= count(viewers.present)"}),
		rego("the audience must be among the viewers", "empty_sets",
			edit{audiencesRego, viewerNotMember, "some member in input.candidate.audience.members\n\tnot member in viewers.present"}),
		rego("the audience must be exactly the viewers", "empty_sets",
			edit{audiencesRego, viewerNotMember, "{m | some m in input.candidate.audience.members} != viewers.present"}),
		rego("the two sets must have the same size", "joins_and_leaves",
			edit{audiencesRego, viewerNotMember, "count(input.candidate.audience.members) < count(viewers.present)"}),

		member("a name is a prefix", "startswith(viewer, m)"),
		member("a name is a part of a name", "contains(m, viewer)"),
		member("a name matches in any case", "lower(m) == lower(viewer)"),
		member("a name is a pattern", `glob.match(m, [], viewer)`),
		member("a name is a regular expression", "regex.match(m, viewer)"),
		member("the directory of a name is left out", `regex.replace(m, "^[a-z]+:", "") == regex.replace(viewer, "^[a-z]+:", "")`),
		member("signs in a name are left out", `regex.replace(m, "[-_.]", "") == regex.replace(viewer, "[-_.]", "")`),
		member("a name is unescaped", "urlquery.decode(m) == urlquery.decode(viewer)"),

		rego("unlabelled is public", "null_and_default",
			edit{audiencesRego, public, "\tinput.candidate.audience.kind in {\"none\", \"public\"}\n\tnot _source_below_public"},
			edit{audiencesRego, `bounded if input.candidate.audience.kind in {"list"`, `bounded if input.candidate.audience.kind in {"none", "list"`}),
		rego("public over narrower sources stays public", "laundering",
			edit{audiencesRego, public, "\tinput.candidate.audience.kind == \"public\""}),
		rego("derived from something public is public", "derived",
			edit{audiencesRego, "\t\"public\" in _source_kinds\n\tnot _source_below_public", "\t\"public\" in _source_kinds"}),
		rego("the tenant over narrower sources stays the tenant", "derived",
			edit{audiencesRego, "kind == \"tenant\"\n\tnot _source_below_tenant", "kind == \"tenant\""}),
		rego("a union instead of an intersection for what is derived", "derived",
			edit{audiencesRego, "some source in input.candidate.sources\n\tsource.audience.kind == \"list\"\n\t" + viewerNotSource,
				"some viewer in viewers.present\n\tevery source in input.candidate.sources {\n\t\tnot viewer in source.audience.members\n\t}"}),
		rego("the first source speaks for all", "derived",
			edit{audiencesRego, "some source in input.candidate.sources\n\tsource.audience.kind == \"list\"",
				"source := input.candidate.sources[0]\n\tsource.audience.kind == \"list\""}),
		rego("the declared audience wins over the sources", "derived",
			edit{audiencesRego, "some source in input.candidate.sources\n\tsource.audience.kind == \"list\"",
				"input.candidate.audience.kind == \"inherited\"\n\tsome source in input.candidate.sources\n\tsource.audience.kind == \"list\""}),
		rego("the sources win over the declared audience", "derived",
			edit{audiencesRego, viewerNotMember, "count(input.candidate.sources) == 0\n\t" + viewerNotMember}),
		rego("a source of nobody is no source", "derived",
			edit{audiencesRego, "source_leaves_out if _source_of_nobody\n", ""}),
		rego("an agent's own summary needs no sources", "derived",
			edit{ruleRego("derived_without_sources"), "count(input.candidate.sources) == 0", "count(input.candidate.sources) == 0\n\tinput.candidate.agent != input.turn.agent"}),
		rego("a list of kinds that are derived leaves one out", "derived",
			edit{ruleRego("derived_without_sources"), `{"edge", "node", "summary"}`, `{"node", "summary"}`}),
		rego("an assumed audience is good enough", "laundering",
			edit{ruleRego("audience_not_recorded"), `not input.candidate.audience_basis == "recorded"`, `not input.candidate.audience_basis in {"assumed", "guessed", "inferred", "recorded"}`}),
		rego("an assumed audience is good enough where the viewers are on it", "null_and_default",
			edit{ruleRego("audience_not_recorded"), `not input.candidate.audience_basis == "recorded"`, "not input.candidate.audience_basis == \"recorded\"\n\tinput.candidate.audience.kind != \"public\""}),

		rego("a grant to more people is enough", "grants",
			edit{audiencesRego, "{grantee | some grantee in input.candidate.granted_viewers} == viewers.present",
				"count(viewers.present - {grantee | some grantee in input.candidate.granted_viewers}) == 0"}),
		rego("a grant to one of the viewers is enough", "grants",
			edit{audiencesRego, "{grantee | some grantee in input.candidate.granted_viewers} == viewers.present",
				"count(viewers.present & {grantee | some grantee in input.candidate.granted_viewers}) > 0"}),
		rego("a grant holds in doubt", "grants",
			edit{audiencesRego, "granted if {\n\tviewers.known\n", "granted if {\n"}),
		rego("a grant overrides a withdrawal", "grants",
			edit{ruleRego("revoked"), "\tnot audiences.public\n", "\tnot audiences.public\n\tnot audiences.granted\n"}),
		rego("a grant brings back what was erased", "grants",
			edit{ruleRego("item_not_live"), "\tnot input.candidate.state == \"live\"\n", "\tnot input.candidate.state == \"live\"\n\tcount(input.candidate.granted_viewers) == 0\n"}),
		rego("a grant is for the item's own list alone", "grants",
			edit{ruleRego("source_audience_narrower"), "\tnot audiences.granted\n", ""}),
	}
}
