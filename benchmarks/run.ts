import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem, type } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ROUNDS } from './figures.js'
import { SECONDS } from './load.js'
import type { Row } from './part.js'
import { TABLES } from './parts.js'
import { renewed } from './tables.js'

/*
 * `npm run bench`: everything that docs/benchmarks.md publishes, as ratios within this one
 * run. `npm run bench -- write boot` runs some parts, `-- --list` names them all, and
 * `-- --write` renews the rows of the page as well.
 */

const PAGE = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url))

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()

/** The commit, and whether files differ from it. The page is ignored, as this run writes it. */
function commit(): string {
  const changes = git(
    'status',
    '--porcelain',
    '--untracked-files=no',
    '--',
    ':/',
    `:(exclude)${PAGE}`
  )
  return git('rev-parse', '--short=8', 'HEAD') + (changes === '' ? '' : ' with changes')
}

function machine(): string {
  const cores = cpus()
  const memory = Math.round(totalmem() / 1024 ** 3)
  return `${cores.length} × ${cores[0].model}, ${memory} GiB, ${type()}, Node ${process.versions.node}`
}

function print({ what, service, beside = '', ratio, aim = '' }: Row): void {
  const figures = [service.padStart(16), beside.padEnd(28), (ratio?.toFixed(2) ?? '').padStart(6)]
  console.log(`${what.padEnd(84)} ${figures.join('  ')}  ${aim}`.trimEnd())
}

const { values, positionals } = parseArgs({
  options: { list: { type: 'boolean' }, write: { type: 'boolean' } },
  allowPositionals: true,
})
const parts = Object.values(TABLES).flat()
const chosen = parts.filter(
  ({ name }) =>
    positionals.length === 0 ||
    positionals.some((each) => name === each || name.startsWith(`${each}-`))
)

if (values.list) {
  for (const { name, what } of parts) console.log(`${name.padEnd(20)} ${what}`)
} else if (chosen.length === 0) {
  console.error(`There is no such part; npm run bench -- --list names them.`)
  process.exitCode = 1
} else {
  const at = values.write ? `${commit()}, ${ROUNDS} × ${SECONDS} s` : ''
  for (const { name, needs, measure } of chosen) {
    if (needs && !process.env[needs]) {
      console.log(`${name}: left out, ${needs} is not set`)
      continue
    }
    try {
      const rows = await measure()
      rows.forEach(print)
      if (!values.write) continue
      const taken = { part: name, rows, at, machine: machine() }
      writeFileSync(PAGE, renewed(readFileSync(PAGE, 'utf8'), TABLES, taken))
    } catch (error) {
      // A part that fails does not stop the others.
      console.error(`${name}:`, error)
      process.exitCode = 1
    }
  }
}
