/*
 * `npm test`: the whole suite on SQLite and on PostgreSQL where one is reachable
 * (`TEST_DATABASE_URL`, by default the local server), and the rules that know no database; at once
 * where there is more than one core. What the others say is kept until the first has ended. With
 * TEST_REQUIRE_POSTGRES=1 a missing server is a failure. TEST_ONLY=sqlite or postgres runs one
 * database. Arguments go to the test runner. What failed is said once more at the end, where a log that was cut still has it.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

const url = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/test'
const required = process.env.TEST_REQUIRE_POSTGRES === '1'
const only = process.env.TEST_ONLY

async function reachable() {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  try {
    await client.connect()
    await client.end()
    return true
  } catch (error) {
    console.log(`PostgreSQL is not reachable (${error.code ?? error.message}).`)
    return false
  }
}

const chosen = process.argv.slice(2)
/** How many processes run the files of a suite, one after another: a large one begins git slowly. */
const PARTS = chosen.length > 0 ? 1 : 12

/** Runs a suite and adds up the closing counts of its parts; what it says is passed on as it comes. */
async function runSuite(suite, say) {
  const sum = { errors: [], passed: 0, failed: 0, skipped: 0 }
  const folder = mkdtempSync(join(tmpdir(), 'tarmac-test-'))
  for (let part = 1; part <= PARTS; part++) {
    const environment = {
      ...suite.environment,
      TEST_PART: `${part}/${PARTS}`,
      TEST_RECORDED: join(folder, 'recorded.json'),
    }
    const counts = await runPart({ ...suite, environment }, say)
    sum.errors.push(...counts.errors)
    for (const name of ['passed', 'failed', 'skipped']) sum[name] += counts[name]
  }
  rmSync(folder, { recursive: true })
  return sum
}

function runPart({ environment, args }, say) {
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      ['--import=./bin/typescript.js', 'bin/test.ts', ...args, ...chosen],
      { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] }
    )
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
        say(chunk)
      })
    }
    child.on('close', (code) => {
      const plain = output.replace(/\u001b\[[0-9;]*m/g, '')
      const line = /^Tests\s+(.*)$/m.exec(plain)?.[1] ?? ''
      const count = (word) => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0)
      resolve({
        errors: plain.match(/^(?:❯|ℹ) .*$/gm) ?? [],
        passed: count('passed'),
        failed: count('failed') || (code === 0 ? 0 : 1),
        skipped: count('skipped') + count('todo'),
      })
    })
  })
}

const suites = []
const total = { passed: 0, failed: 0, skipped: 0 }

if (only !== 'postgres') {
  suites.push({ name: 'SQLite', environment: { DATABASE_URL: '' }, args: ['service'] })
}
if (only !== 'sqlite') {
  if (await reachable()) {
    suites.push({ name: 'PostgreSQL', environment: { DATABASE_URL: url }, args: ['service'] })
  } else if (required) {
    console.log('PostgreSQL is required here (TEST_REQUIRE_POSTGRES=1).')
    total.failed += 1
  }
}
// What no database knows of needs no other's turn.
const home = `${process.env.TARMAC_HOME ?? 'tmp/test'}-rules`
const rules = { DATABASE_URL: '', TARMAC_HOME: home }
suites.push({ name: 'Rules', environment: rules, args: ['rules'] })

const say = (chunk) => process.stdout.write(chunk)
const atOnce = availableParallelism() > 1
/** What suites said that began before it was their turn to be heard. */
const kept = new Map()
const begin = (suite) => runSuite(suite, (chunk) => kept.get(suite.name)?.push(chunk) ?? say(chunk))

const failures = []
const running = new Map()
for (const each of suites) {
  if (running.size > 0 && !atOnce) break
  if (running.size > 0) kept.set(each.name, [])
  running.set(each.name, begin(each))
}
for (const each of suites) {
  console.log(`\n== ${each.name} ==`)
  for (const chunk of kept.get(each.name) ?? []) say(chunk)
  kept.delete(each.name)
  const result = await (running.get(each.name) ?? begin(each))
  for (const name of Object.keys(total)) total[name] += result[name]
  failures.push(...result.errors.map((line) => `${each.name}: ${line}`))
}

if (failures.length > 0) console.log(`\n${failures.slice(0, 40).join('\n')}`)
if (total.passed + total.failed === 0) total.failed = 1
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed > 0 ? 1 : 0
