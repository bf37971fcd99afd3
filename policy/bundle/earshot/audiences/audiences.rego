# METADATA
# title: Audiences
# description: >-
#   The effective audience of a candidate is the meet of what is declared and what each source
#   declares. Public is the top, tenant lies below it, lists intersect, and a missing audience is
#   nobody. An inherited one puts no bound on the meet: its sources do, and they are listed too.
package earshot.audiences

import data.earshot.viewers

# METADATA
# title: Public
# description: Everybody may know the item and all that it was derived from.
# scope: document
public if {
	input.candidate.audience.kind == "public"
	not _source_below_public
}

public if {
	input.candidate.audience.kind == "inherited"
	"public" in _source_kinds
	not _source_below_public
}

# METADATA
# title: Tenant-wide
# description: Everybody in the tenant may know the item, and nothing narrows it further.
# scope: document
tenant_wide if {
	input.candidate.audience.kind == "tenant"
	not _source_below_tenant
}

tenant_wide if {
	input.candidate.audience.kind in {"inherited", "public"}
	"tenant" in _source_kinds
	not _source_below_tenant
}

# METADATA
# title: Listed
# description: >-
#   Named principals may know the item. Where several lists bound it, only those on each of them.
# scope: document
listed if {
	input.candidate.audience.kind == "list"
	not _source_of_nobody
}

listed if {
	input.candidate.audience.kind in {"inherited", "public", "tenant"}
	"list" in _source_kinds
	not _source_of_nobody
}

# METADATA
# title: Bounded
# description: Something says who may know the item, the item itself or one of its sources.
# scope: document
bounded if input.candidate.audience.kind in {"list", "public", "tenant"}

bounded if {
	input.candidate.audience.kind == "inherited"
	some kind in _source_kinds
	kind != "inherited"
}

# METADATA
# title: Touches the tenant
# description: The item, or something it was derived from, was meant for everybody in the tenant.
# scope: document
touches_tenant if input.candidate.audience.kind == "tenant"

touches_tenant if "tenant" in _source_kinds

# METADATA
# title: Declared audience leaves a viewer out
# description: The declared audience is a list, and some viewer is not on it.
declared_leaves_out if {
	input.candidate.audience.kind == "list"
	some viewer in viewers.present
	not viewer in input.candidate.audience.members
}

# METADATA
# title: A source leaves a viewer out
# description: A source's audience is nobody, or a list that some viewer is not on.
# scope: document
source_leaves_out if _source_of_nobody

source_leaves_out if {
	some source in input.candidate.sources
	source.audience.kind == "list"
	some viewer in viewers.present
	not viewer in source.audience.members
}

# METADATA
# title: Granted
# description: This service holds a grant of the item to exactly these viewers.
granted if {
	viewers.known
	{grantee | some grantee in input.candidate.granted_viewers} == viewers.present
}

_source_kinds contains source.audience.kind if some source in input.candidate.sources

_source_below_public if {
	some kind in _source_kinds
	not kind in {"inherited", "public"}
}

_source_below_tenant if {
	some kind in _source_kinds
	not kind in {"inherited", "public", "tenant"}
}

_source_of_nobody if {
	some kind in _source_kinds
	not kind in {"inherited", "list", "public", "tenant"}
}
