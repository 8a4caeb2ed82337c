// Checks an export (JSONL) with the public implementation of the same formats, golang.org/x/mod/sumdb: the signed note, every
// inclusion proof, the root over all leaves, and the consistency proofs from the kept checkpoints that are given.
// Usage: crosscheck EXPORT VERIFIER_KEY [KEPT_NOTE]...
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type line struct {
	Kind        string          `json:"kind"`
	Checkpoint  string          `json:"checkpoint"`
	Index       int64           `json:"index"`
	LeafHash    string          `json:"leaf_hash"`
	Proof       []string        `json:"proof"`
	Event       json.RawMessage `json:"event"`
	Consistency []struct {
		Older int64    `json:"older"`
		Proof []string `json:"proof"`
	} `json:"consistency"`
}

type head struct {
	size int64
	root tlog.Hash
}

func fail(format string, arguments ...any) {
	fmt.Printf("FAIL "+format+"\n", arguments...)
	os.Exit(1)
}

func open(text string, verifier note.Verifier) head {
	opened, err := note.Open([]byte(text), note.VerifierList(verifier))
	if err != nil {
		fail("the note does not open: %v", err)
	}
	lines := strings.Split(opened.Text, "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		fail("the size cannot be read: %v", err)
	}
	root, err := tlog.ParseHash(lines[2])
	if err != nil {
		fail("the root cannot be read: %v", err)
	}
	return head{size, root}
}

func hashes(texts []string) []tlog.Hash {
	var out []tlog.Hash
	for _, text := range texts {
		var hash tlog.Hash
		bytes, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(bytes) != len(hash) {
			fail("a proof holds what is no hash")
		}
		copy(hash[:], bytes)
		out = append(out, hash)
	}
	return out
}

func main() {
	verifier, err := note.NewVerifier(os.Args[2])
	if err != nil {
		fail("the verifier key is none: %v", err)
	}
	file, err := os.Open(os.Args[1])
	if err != nil {
		fail("%v", err)
	}
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 16<<20)
	var now head
	var first line
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		for at, index := range indexes {
			out[at] = stored[index]
		}
		return out, nil
	})
	entries := int64(0)
	for scanner.Scan() {
		var one line
		if err := json.Unmarshal(scanner.Bytes(), &one); err != nil {
			fail("a line is no JSON: %v", err)
		}
		switch one.Kind {
		case "bravo-trail-export":
			first, now = one, open(one.Checkpoint, verifier)
		case "bravo-trail-export-end":
		default:
			leaf := tlog.RecordHash(one.Event)
			if fmt.Sprintf("%x", leaf[:]) != one.LeafHash {
				fail("entry %d has another hash", one.Index)
			}
			if err := tlog.CheckRecord(hashes(one.Proof), now.size, now.root, one.Index, leaf); err != nil {
				fail("entry %d: %v", one.Index, err)
			}
			added, err := tlog.StoredHashesForRecordHash(entries, leaf, reader)
			if err != nil {
				fail("%v", err)
			}
			stored = append(stored, added...)
			entries++
		}
	}
	if entries == now.size {
		if root, err := tlog.TreeHash(entries, reader); err != nil || root != now.root {
			fail("the root over all entries is another")
		}
	}
	for _, name := range os.Args[3:] {
		text, err := os.ReadFile(name)
		if err != nil {
			fail("%v", err)
		}
		older := open(string(text), verifier)
		proven := older == now
		for _, given := range first.Consistency {
			if given.Older == older.size {
				if err := tlog.CheckTree(hashes(given.Proof), now.size, now.root, older.size, older.root); err != nil {
					fail("from %d entries: %v", older.size, err)
				}
				proven = true
			}
		}
		if !proven {
			fail("there is no proof from %d entries", older.size)
		}
	}
	fmt.Printf("OK %d entries, %d kept checkpoints\n", entries, len(os.Args)-3)
}
