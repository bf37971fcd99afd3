package policy

import "slices"

// AudienceKind says what sort of audience an item carries. The zero value is nobody.
type AudienceKind uint8

// The kinds of audience.
const (
	// AudienceNone is nobody: the audience is missing, null or empty.
	AudienceNone AudienceKind = iota

	// AudienceList is the principals named in Members.
	AudienceList

	// AudienceTenant is everybody in the tenant.
	AudienceTenant

	// AudiencePublic is everybody.
	AudiencePublic

	// AudienceInherited is an item that states no audience and has sources: its audience is the
	// meet of theirs.
	AudienceInherited
)

// String returns the word the policy and the log use for the kind.
func (k AudienceKind) String() string {
	switch k {
	case AudienceList:
		return "list"
	case AudienceTenant:
		return wordTenant
	case AudiencePublic:
		return wordPublic
	case AudienceInherited:
		return "inherited"
	default:
		return "none"
	}
}

// Audience is who was present when an item was recorded, Aud(m) in the Contextual-Integrity
// papers. The zero value is nobody.
type Audience struct {
	Kind AudienceKind

	// Members are the principals of an AudienceList: sorted, distinct, not empty. Nil otherwise.
	Members []string
}

// Everybody returns the public audience.
func Everybody() Audience { return Audience{Kind: AudiencePublic} }

// WholeTenant returns the audience of everybody in the tenant.
func WholeTenant() Audience { return Audience{Kind: AudienceTenant} }

// Principals returns the audience of exactly these principals, in any order and with repetitions.
// Without any it is nobody.
func Principals(names ...string) Audience {
	if len(names) == 0 {
		return Audience{}
	}
	return Audience{Kind: AudienceList, Members: sortedSet(names)}
}

// has reports whether name is a member of the list. It needs the order that sortedSet makes.
func (a Audience) has(name string) bool {
	_, found := slices.BinarySearch(a.Members, name)
	return found
}

// sortedSet returns names in byte order without repetitions. It leaves its argument alone and
// returns nil only for nil.
func sortedSet(names []string) []string {
	if names == nil {
		return nil
	}
	set := slices.Clone(names)
	slices.Sort(set)
	return slices.Compact(set)
}
