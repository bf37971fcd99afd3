package wire

import (
	"hash/maphash"
	"math"
	"slices"
	"sync"

	"earshot/policy"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// audienceCache keeps audiences that were read last, found by the bytes that state them. What it gives
// is a function of those bytes alone, whoever asks: no request learns from it anything of another. Its
// bound is in bytes, since an audience can be one name or a hundred thousand. It is safe for concurrent
// use. A nil cache keeps nothing.
type audienceCache struct {
	// seed makes it impossible to choose audiences that meet in one place.
	seed   maphash.Seed
	shards [audienceShards]audienceShard
}

// audienceShards is how many requests can look up at once, about. It divides the bound.
const audienceShards = 8

type audienceShard struct {
	most int

	mu   sync.Mutex
	lru  *simplelru.LRU[uint64, *heard] // guarded by mu
	size int                            // the cost of all; guarded by mu
}

// heard is an audience and the list that states it. It never changes.
type heard struct {
	list     string
	audience policy.Audience
	cost     int
}

// heardCost is what one audience costs in memory beside its texts, in bytes, about.
const heardCost = 256

// newAudienceCache returns a cache of at most about most bytes.
func newAudienceCache(most int) (*audienceCache, error) {
	c := &audienceCache{seed: maphash.MakeSeed()}
	for i := range c.shards {
		shard := &c.shards[i]
		lru, err := simplelru.NewLRU(math.MaxInt, func(_ uint64, h *heard) { shard.size -= h.cost })
		if err != nil {
			return nil, err
		}
		shard.most, shard.lru = most/audienceShards, lru
	}
	return c, nil
}

// keyOf returns where an audience with these bytes is kept.
func (c *audienceCache) keyOf(list []byte) uint64 {
	if c == nil {
		return 0
	}
	return maphash.Bytes(c.seed, list)
}

// get returns the audience that list states, if it is kept. The caller must not change its members.
func (c *audienceCache) get(key uint64, list []byte) (policy.Audience, bool) {
	if c == nil {
		return policy.Audience{}, false
	}
	shard := &c.shards[key%audienceShards]
	shard.mu.Lock()
	h, ok := shard.lru.Get(key)
	shard.mu.Unlock()
	if !ok || h.list != string(list) {
		return policy.Audience{}, false
	}
	return h.audience, true
}

// add keeps the audience that list states, unless it is so large that it would drive out most others.
// Nothing may change the members from here on.
func (c *audienceCache) add(key uint64, list []byte, a policy.Audience) {
	if c == nil {
		return
	}
	shard := &c.shards[key%audienceShards]
	cost := heardCost + len(list)
	for _, name := range a.Members {
		cost += len(name) + 16 // a string header
	}
	if cost > shard.most/2 {
		return
	}
	a.Members = slices.Clip(a.Members) // so that what appends to them gets a copy
	h := &heard{list: string(list), audience: a, cost: cost}
	shard.mu.Lock()
	defer shard.mu.Unlock()
	shard.lru.Remove(key) // of an equal hash, or of another request just now
	shard.lru.Add(key, h)
	shard.size += cost
	for shard.size > shard.most {
		shard.lru.RemoveOldest()
	}
}
