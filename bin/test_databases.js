/*
 * `npm test`: the whole suite on SQLite, then on PostgreSQL where one is reachable
 * (`TEST_DATABASE_URL`, by default the local server). With TEST_REQUIRE_POSTGRES=1 a
 * missing server is a failure. Arguments go to the test runner.
 */
import { spawn } from 'node:child_process'
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

/** Runs the suite once; passes its output on and reads its closing counts. */
function runSuite(name, environment) {
  console.log(`\n== ${name} ==`)
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      ['--import=./bin/typescript.js', 'bin/test.ts', ...process.argv.slice(2)],
      { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] }
    )
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
      process.stdout.write(chunk)
    })
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

const total = { passed: 0, failed: 0, skipped: 0 }
const add = (result) => {
  for (const name of Object.keys(total)) total[name] += result[name]
}

if (only !== 'postgres') add(await runSuite('SQLite', { DATABASE_URL: '' }))
if (only !== 'sqlite') {
  if (await reachable()) add(await runSuite('PostgreSQL', { DATABASE_URL: url }))
  else if (required) {
    console.log('PostgreSQL is required here (TEST_REQUIRE_POSTGRES=1).')
    total.failed += 1
  }
}

if (total.passed + total.failed === 0) total.failed = 1
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exit(total.failed > 0 ? 1 : 0)
