import { readFileSync, writeFileSync } from 'node:fs'
import { TABLES } from '#rollouts/tests/guard_tables'

/*
 * Regenerates the tables of docs/explanation/health-guard.md, or only those that are named:
 * node --import=./bin/typescript.js benchmarks/guard_table.ts [name …]
 */
const PAGE = new URL('../docs/explanation/health-guard.md', import.meta.url)
const named = process.argv.slice(2)
for (const [name, { head, lines }] of Object.entries(TABLES)) {
  if (named.length > 0 && !named.includes(name)) continue
  const drawn: string[] = []
  for (const { draw } of lines) drawn.push(await draw())
  const text = readFileSync(PAGE, 'utf8')
  const [before, after] = [`<!-- table ${name} -->\n\n`, `\n\n<!-- end of table ${name} -->`]
  const start = text.indexOf(before) + before.length
  if (start < before.length)
    throw new Error(`docs/explanation/health-guard.md has no place for the table ${name}`)
  const rest = text.slice(text.indexOf(after))
  writeFileSync(PAGE, text.slice(0, start) + [...head, ...drawn].join('\n') + rest)
}
