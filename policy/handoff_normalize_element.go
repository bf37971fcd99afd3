package policy

import (
	"fmt"
	"slices"
	"strings"
)

// normalizeElement checks an element and flattens its sources.
func normalizeElement(pointer string, e *Element) error {
	if err := checkIdentity(pointer, e.ID, e.Source, e.Digest); err != nil {
		return err
	}
	if !slices.Contains(Kinds(), e.Kind) {
		return invalid(pointer+"/kind", "must be one of %s", strings.Join(Kinds(), ", "))
	}
	if err := checkHands(pointer, e.InheritedVia); err != nil {
		return err
	}
	e.InheritedVia = slices.Clone(e.InheritedVia)
	if len(e.InheritedVia) == 0 {
		e.InheritedVia = nil
	}
	var flat []ElementSource
	if err := flattenElementSources(&flat, pointer+"/sources", pointer, e.Sources, nil, 1); err != nil {
		return err
	}
	e.Sources = flat
	return nil
}

// flattenElementSources appends sources and theirs to flat, each before its own. Of is what they are
// the sources of, nil for the element; first is the pointer to the list of the element.
func flattenElementSources(flat *[]ElementSource, first, pointer string, sources []ElementSource, of *ElementSource, depth int) error {
	pointer += "/sources"
	if depth > MaxSourceDepth && len(sources) > 0 {
		return invalid(pointer, "are nested deeper than %d levels", MaxSourceDepth)
	}
	for i, s := range sources {
		if len(*flat) == MaxSources {
			return invalid(first, "are more than %d, nested ones included", MaxSources)
		}
		at := fmt.Sprintf("%s/%d", pointer, i)
		if err := checkIdentity(at, s.ID, s.Source, s.Digest); err != nil {
			return err
		}
		if s.Kind != "" && !slices.Contains(Kinds(), s.Kind) {
			return invalid(at+"/kind", "must be one of %s", strings.Join(Kinds(), ", "))
		}
		if err := checkHands(at, s.InheritedVia); err != nil {
			return err
		}
		s.InheritedVia = handsOf(&s, of)
		children := s.Sources
		s.Sources = nil
		*flat = append(*flat, s)
		if err := flattenElementSources(flat, first, at, children, &s, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// handsOf returns the hands of a source up to the agent that derived the element: its own, then whoever
// derived from it what it is nested in, then the hands of that. So a summary of a summary hides no hand.
// What is beyond MaxHands is cut off: it is too long for any settings, and each hand that is cut off is
// one of the outer source, too.
func handsOf(s, of *ElementSource) []string {
	hands := slices.Clone(s.InheritedVia)
	if of != nil {
		if of.Source != "" && of.Source != s.Source {
			hands = append(hands, of.Source)
		}
		hands = append(hands, of.InheritedVia...)
	}
	if len(hands) == 0 {
		return nil
	}
	return hands[:min(len(hands), MaxHands)]
}

func checkIdentity(pointer, id, source, digest string) error {
	if err := CheckName(id); err != nil {
		return invalid(pointer+"/element_id", "%v", err)
	}
	if source != "" {
		if err := CheckPrincipal(source); err != nil {
			return invalid(pointer+"/source_agent_id", "%v", err)
		}
	}
	if digest != "" {
		if err := checkDigest(digest); err != nil {
			return invalid(pointer+"/digest", "%v", err)
		}
	}
	return nil
}

func checkHands(pointer string, hands []string) error {
	if len(hands) > MaxHands {
		return invalid(pointer+"/inherited_via", "names more than %d agents", MaxHands)
	}
	for i, hand := range hands {
		if err := CheckPrincipal(hand); err != nil {
			return invalid(fmt.Sprintf("%s/inherited_via/%d", pointer, i), "%v; name the agent", err)
		}
	}
	return nil
}
