/*
 * `npm test`: the whole suite on SQLite and on PostgreSQL where one is reachable
 * (`TEST_DATABASE_URL`, by default the local server), at once where there is a core for each.
 * What the second says is kept until the first has ended. With TEST_REQUIRE_POSTGRES=1 a
 * missing server is a failure. TEST_ONLY=sqlite or postgres runs one. Arguments go to the
 * test runner.
 */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
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

/** Runs the suite once and reads its closing counts; what it says is passed on as it comes. */
function runSuite({ environment, args }, say) {
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      ['--import=./bin/typescript.js', 'bin/test.ts', ...args, ...process.argv.slice(2)],
      { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] }
    )
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
      say(chunk)
    })
    child.stderr.on('data', say)
    child.on('close', (code) => {
      const plain = output.replace(/\u001b\[[0-9;]*m/g, '')
      const line = /^Tests\s+(.*)$/m.exec(plain)?.[1] ?? ''
      const count = (word) => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0)
      resolve({
        passed: count('passed'),
        failed: count('failed') || (code === 0 ? 0 : 1),
        skipped: count('skipped') + count('todo'),
      })
    })
  })
}

const suites = []
const total = { passed: 0, failed: 0, skipped: 0 }

const all = ['rules', 'service']
if (only !== 'postgres') {
  suites.push({ name: 'SQLite', environment: { DATABASE_URL: '' }, args: all })
}
if (only !== 'sqlite') {
  if (await reachable()) {
    // What no database knows of has been tried beside SQLite.
    const args = only === 'postgres' ? all : ['service']
    suites.push({ name: 'PostgreSQL', environment: { DATABASE_URL: url }, args })
  } else if (required) {
    console.log('PostgreSQL is required here (TEST_REQUIRE_POSTGRES=1).')
    total.failed += 1
  }
}

const say = (chunk) => process.stdout.write(chunk)
const atOnce = availableParallelism() > 1
/** What suites said that began before it was their turn to be heard. */
const kept = new Map()
const begin = (suite) => runSuite(suite, (chunk) => kept.get(suite.name)?.push(chunk) ?? say(chunk))

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
}

if (total.passed + total.failed === 0) total.failed = 1
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed > 0 ? 1 : 0
