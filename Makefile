# Thin aliases; the commands live in scripts/.
.PHONY: check test data docs cold-start requirements
check test data docs cold-start requirements:
	scripts/$@ $(ARGS)
