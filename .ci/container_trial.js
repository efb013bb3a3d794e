/*
 * Runs inside an image, as its user: starts the service as the image does, waits until it is
 * healthy, makes a key and a request, runs every console command beside it, and ends it.
 * CMD and HEALTHCHECK hold the commands of the image as JSON. ONLY_START=1 leaves the console out.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const ROOT = '/opt/tarmac'
const HOME = process.env.TARMAC_HOME
const BASE = `http://127.0.0.1:${process.env.PORT}`
/** What a package that was left out by mistake makes Node say. */
const MISSING = /ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|Cannot find (module|package)/

const say = (line) => console.log(`--- ${line}`)

function start([command, ...args], { input, env = {} } = {}) {
  const child = spawn(command, args, {
    ...{ cwd: ROOT, env: { ...process.env, ...env } },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  const told = { child, output: '', errors: '', closed: once(child, 'close') }
  child.stdout.on('data', (chunk) => (told.output += chunk))
  child.stderr.on('data', (chunk) => (told.errors += chunk))
  child.stdin?.end(input)
  process.once('exit', () => child.kill('SIGKILL'))
  return told
}

/** Runs a command to its end, and answers its code and what it printed. */
async function run(command, options) {
  const told = start(command, options)
  const [code] = await told.closed
  return { code, ...told }
}

async function until(what, isSo, tries = 300) {
  for (let attempt = 0; attempt < tries; attempt++) {
    const result = await isSo()
    if (result) return result
    await sleep(200)
  }
  throw new Error(`It took too long until ${what}.`)
}

async function ask(path, key, options = {}) {
  const { type = 'application/json', body, method = body ? 'POST' : 'GET' } = options
  const headers = { 'X-API-Key': key, ...(body ? { 'Content-Type': type } : {}) }
  const answer = await fetch(BASE + path, { method, headers, body })
  const text = await answer.text()
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`)
  return JSON.parse(text)
}

const [healthcheck, cmd] = [process.env.HEALTHCHECK, process.env.CMD].map((each) =>
  JSON.parse(each)
)

/** The console commands in the order of their trial: arguments, and what is kept of the answer. */
function trials(state) {
  const of = `--org=${state.org}`
  return [
    { command: ['org:create', 'Trial'], keep: ({ id }) => ({ trial: id }) },
    { command: ['org:list'] },
    { command: ['org:update', of, '--name=Trials'] },
    { command: ['user:create', of, '--email=ada@example.test'] },
    { command: ['user:update', of, '--email=ada@example.test', '--name=Ada'] },
    { command: ['user:link', 'ada@example.test'] },
    { command: ['key:create', of, '--name=ci', '--admin'], keep: (key) => ({ made: key }) },
    { command: ['key:list', of] },
    { command: ['key:rotate', state.made?.id], keep: (key) => ({ rotated: key }) },
    { command: ['key:revoke', state.rotated?.id] },
    {
      command: ['webhook:create', of, '--url=https://example.test/hooks'],
      keep: ({ id }) => ({ hook: id }),
    },
    { command: ['webhook:list', of] },
    // Nobody listens there.
    { command: ['webhook:ping', state.hook], code: 1 },
    { command: ['webhook:deliveries', state.hook] },
    { command: ['provider:plugins'] },
    { command: ['provider:connect', 'generic-ci', of], keep: ({ id }) => ({ connection: id }) },
    { command: ['provider:list', of] },
    { command: ['provider:check', state.connection, of] },
    { command: ['provider:rotate', state.connection, of] },
    // This plugin knows no OAuth and has no callbacks: a word of refusal is all that is wanted.
    { command: ['provider:authorize', 'generic-ci', of], code: 1 },
    { command: ['provider:callback', 'int_0000000000', of], code: 1 },
    { command: ['provider:disconnect', state.connection, of] },
    { command: ['integrations:log', of] },
    { command: ['integrations:doctor', of] },
    { command: ['integrations:rotate-keys'] },
    { command: ['make:integration', 'parcel', `--to=${HOME}/parcel`] },
    { command: ['sim:start', of, '--alias=Sim'] },
    { command: ['provider:find', 'Sim', 'workflows', of] },
    { command: ['sim:console', 'googlePlay', 'publishes', of] },
    { command: ['sim:state', of] },
    { command: ['sim:advance', '1h', of] },
    { command: ['sim:scenario', 'app/simulation/scenarios/box/failed-build.yaml', of] },
    { command: ['sim:reset', of] },
    { command: ['app:import', 'docs/examples/acme_ios.yml', of, '--dry-run'] },
    { command: ['app:export', 'acme-ios'] },
    { command: ['release:verify', state.release] },
    { command: ['release:evidence', state.release, `--to=${HOME}/evidence.json`] },
    { command: ['release:red-button', state.release, '--reason=Trial'] },
    { command: ['storage:verify', '--quick'] },
    // The committed document is not in the image.
    { command: ['openapi:write', '--check'], code: 1 },
    { command: ['rehearse', 'docs/examples/rehearsal.yml', '--days=2'] },
    { command: ['mcp'], input: state.hello, env: { TARMAC_API_KEY: state.key }, isPlain: true },
    { command: ['work'], isEnded: true },
  ]
}

const HELLO = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'trial', version: '1' },
  },
}

/** Commands of the framework for those who develop: they install packages, which an image has not. */
const FOR_DEVELOPERS = ['add', 'configure', 'list']

async function tryCommand({ command, code = 0, keep, input, env, isPlain, isEnded }) {
  const args = isPlain ? command : [...command, '--json']
  const told = start(['node', 'ace.js', ...args], { input, env })
  if (isEnded) setTimeout(() => told.child.kill('SIGTERM'), 5000)
  const [ended] = await told.closed
  const all = `${command.join(' ')}: ${ended}\n${told.output}\n${told.errors}`
  assert.ok(ended === code && !MISSING.test(all), all)
  return keep?.(JSON.parse(told.output)) ?? {}
}

async function tryCommands(state) {
  const failures = []
  for (let each = 0; each < trials(state).length; each++) {
    const failed = ({ message }) => failures.push(message)
    Object.assign(state, await tryCommand(trials(state)[each]).catch(failed))
  }
  assert.deepEqual(failures, [])
  const listed = await run(['node', 'ace.js', 'list', '--json'])
  const names = JSON.parse(listed.output).map(({ commandName }) => commandName)
  const tried = trials(state).map(({ command }) => command[0])
  assert.deepEqual(
    names.filter((name) => !FOR_DEVELOPERS.includes(name)).sort(),
    [...new Set(tried)].sort(),
    'Every console command has its trial'
  )
}

process.setMaxListeners(0)
say('an unprivileged user, who may write into the home alone')
assert.notEqual(process.getuid(), 0)
for (const place of [ROOT, `${ROOT}/node_modules/.cache/tarmac`, '/usr/local', '/etc']) {
  assert.throws(() => fs.writeFileSync(`${place}/trial`, ''), /EACCES|EROFS/)
}
fs.writeFileSync(`${HOME}/trial`, '')

say('git 2.38 or newer, ssh and the certificates of authorities')
const [, major, minor] = /(\d+)\.(\d+)/.exec((await run(['git', '--version'])).output)
assert.ok(Number(major) * 1000 + Number(minor) >= 2038)
assert.equal((await run(['ssh', '-V'])).code, 0)
assert.ok(fs.existsSync('/etc/ssl/certs/ca-certificates.crt'))

say('it starts and gets healthy')
assert.equal((await run(healthcheck)).code, 1)
const service = start(cmd)
await until('it was healthy', async () => {
  assert.equal(service.child.exitCode, null, service.errors)
  return (await run(healthcheck)).code === 0
})
await until('it showed the key', () => service.output.includes('reference page'))

say('what it runs was compiled ahead')
const maps = fs.readFileSync(`/proc/${service.child.pid}/maps`, 'utf8')
assert.match(maps, /better-sqlite3/)
assert.doesNotMatch(maps, /swc/)

say('the guide')
const page = await fetch(`${BASE}/guide/how-to/`)
assert.equal(page.status, 200)
const [script] = /\/guide\/assets\/app\.[^"]+\.js/.exec(await page.text())
assert.equal((await fetch(BASE + script)).status, 200)

say('a key, an app and a release')
const [, org] = /organization +(org_\S+)/.exec(service.output)
const [, key] = /API key +(tarmac_\S+)/.exec(service.output)
await ask(`/org/${org}`, key)
await ask(`/org/${org}/app/config`, key, {
  body: fs.readFileSync(`${ROOT}/docs/examples/acme_ios.yml`),
  type: 'application/yaml',
})
const release = await ask('/app/acme-ios/release', key, {
  body: JSON.stringify({ version: '1.4.0' }),
})

if (process.env.ONLY_START !== '1') {
  say('every console command')
  await tryCommands({ ...{ org, key, release: release.id }, hello: `${JSON.stringify(HELLO)}\n` })
}

say('a graceful stop')
service.child.kill('SIGTERM')
const [code, signal] = await service.closed
assert.deepEqual([code, signal], [0, null], service.errors)
assert.doesNotMatch(service.errors, MISSING)
assert.equal((await run(healthcheck)).code, 1)
say('the image works')
