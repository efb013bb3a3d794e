import { readFileSync, writeFileSync } from 'node:fs'
import { guardTable } from '#rollouts/tests/simulated_guard'

/*
 * Writes the table of docs/rollouts.md anew:
 * node --import=./bin/typescript.js benchmarks/guard_table.ts
 */
const PAGE = new URL('../docs/rollouts.md', import.meta.url)
const [before, after] = ['<!-- table -->\n\n', '\n\n<!-- end of table -->']
const text = readFileSync(PAGE, 'utf8')
const start = text.indexOf(before) + before.length
writeFileSync(PAGE, text.slice(0, start) + guardTable() + text.slice(text.indexOf(after)))
