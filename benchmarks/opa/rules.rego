# The deny rules of the benchmark as data: one document of rules by family, judged one after another or looked up.
package bravo

default denied := false

denied if {
	some rule in data.rules[input.family]
	glob.match(rule, null, input.text)
}

denied if data.hosts[input.host]

# rules.wasm is this file, compiled once with OPA 1.22.3 (github.com/open-policy-agent/opa, built from its source):
#   opa build -t wasm -e bravo/denied -o bundle.tar.gz rules.rego && tar xzf bundle.tar.gz /policy.wasm
# What is compiled in is how rules are judged; the rules themselves are data, so one file serves any number of them.
