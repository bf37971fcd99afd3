package main

// logCmd groups what is done with a decision log beside recording.
type logCmd struct {
	Verify     logVerifyCmd     `cmd:"" help:"Read the whole log and check that it is as it was recorded."`
	Checkpoint logCheckpointCmd `cmd:"" help:"Print a signed checkpoint of the log, or the keys that verify it."`
	List       logListCmd       `cmd:"" help:"List decisions, newest first."`
	Show       logShowCmd       `cmd:"" help:"Show one decision whole."`
	Exposures  logExposuresCmd  `cmd:"" help:"List what a person's turns were shown, or whom an item reached."`
	Stats      logStatsCmd      `cmd:"" help:"Count denials and ambiguous viewers against the time before, and what each policy decided."`
	Findings   logFindingsCmd   `cmd:"" help:"List bleed findings, and what reviewers said of them."`
	Erasures   logErasuresCmd   `cmd:"" help:"List what was erased; it names nobody."`
	Accesses   logAccessesCmd   `cmd:"" help:"List who asked what of the log."`
	Export     logExportCmd     `cmd:"" help:"Write all decisions that filters select as JSON lines, CSV or events of OPA."`
	Evidence   logEvidenceCmd   `cmd:"" help:"Write a package that proves a part of the log to whoever has not this program."`
	Erase      logEraseCmd      `cmd:"" help:"Forget a person, an agent or an item, and keep every proof."`
	Prune      logPruneCmd      `cmd:"" help:"Empty what is older than the retention."`
	Backup     logBackupCmd     `cmd:"" help:"Copy the log into a file while a server runs."`
	Restore    logRestoreCmd    `cmd:"" help:"Verify a backup and put it into a data folder."`
}
