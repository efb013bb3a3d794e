import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import limiter from '@adonisjs/limiter/services/main'
import { test } from '@japa/runner'
import { CreateKey } from '#organizations/actions/create_key'
import { joined, type Person } from '../app/pages/session/tests/browser.js'
import { makeApp } from './support/app_fixture.js'
import { CommandLine, waitForOutput } from './support/command_line.js'
import { finished, listen, serviceUrl } from './support/processes.js'
import { makeWorld, type World } from './support/world.js'

/*
 * The command line as a process of its own, packed, against the service.
 */

let line: CommandLine

/**
 * Scripts with which a shell prints its completions of the last word after `tarmac`, one per line.
 */
const SHELLS: Readonly<Record<string, (script: string, words: string[]) => string>> = {
  bash: (script, words) => `${script}
    COMP_WORDS=(tarmac ${quoted(words)}) COMP_CWORD=${words.length}
    _tarmac; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // Functions that print replace the builtins of zsh's line editor.
  zsh: (script, words) => `compdef() { }; compadd() { shift; print -l -- "$@" }
    ${script}
    words=(tarmac ${quoted(words)}) CURRENT=${words.length + 1}; _tarmac`,
  fish: (script, words) => `${script}\ncomplete -C 'tarmac ${words.join(' ')}'`,
}

const quoted = (words: string[]) => words.map((word) => `'${word}'`).join(' ')

/** Makes an app with a release, and functions that run the command line with its admin key. */
async function setUp() {
  const world = await makeWorld()
  const app = await makeApp(world)
  await world.admin.post(`/app/${app}/release`, { version: '1.0.0' })
  const env = { TARMAC_API_KEY: world.adminKey, TARMAC_ORG: world.organizationId }
  const run = (...args: string[]) => line.run(args, env)
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout)
  return { world, app, release: `${app}:1.0.0`, env, run, json }
}

/** Signs in as a person, who confirms the code in the browser. */
async function signIn(world: World, { browser }: Person) {
  const child = line.start(['login', '--json'])
  const done = finished(child)
  const code = (await waitForOutput(child, /[A-Z]{4}-[A-Z]{4}(?=\n)/))!
  await browser.get(`/dashboard/device?code=${code}`)
  await browser.post('/dashboard/device', {
    code,
    organization: world.organizationId,
    decision: 'confirm',
  })
  return done
}

test.group('The command line', (group) => {
  group.setup(async () => {
    line = await CommandLine.install()
    return () => line.remove()
  })
  group.each.setup(async () => {
    await limiter.clear()
    line.forget()
  })

  test('drafts, finds and kicks off a release, and prints why it is not moving', async ({
    assert,
  }) => {
    const { world, app, release, run, json } = await setUp()
    const table = await run('apps')
    assert.match(table.stdout, new RegExp(`^APP +PLATFORM.*\\n${app} +ios`))
    assert.deepEqual(
      (await json('apps')).map(({ id }: { id: string }) => id),
      [app]
    )
    assert.match((await run('release', 'create', app, '1.1.0')).stdout, /:1\.1\.0 is upcoming/)
    const again = await json('release', 'create', app, '1.1.0', '--if-missing')
    assert.equal(again.id, `${app}:1.1.0`)
    assert.include((await run('release', 'kickoff', release)).stdout, 'is active')
    const why = await run('why', release)
    assert.include(why.stdout, release)
    assert.match(why.stdout, /^✓ /m)
    assert.match(why.stdout, /^ {4}\S.*/m)
    // No colours where the output is no terminal.
    assert.notInclude(why.stdout, '\u001b')
    const response = await world.admin.get(`/app/${app}/release/${release}/whyNotMoving`)
    assert.deepEqual(await json('why', release), response.body)
  })

  test('ticks items by title or id, and writes evidence', async ({ assert }) => {
    const { world, app, release, run, json } = await setUp()
    await world.admin.post(`/app/${app}/regressionItem`, { title: 'Pay by card' })
    await run('release', 'kickoff', release)
    const items = await json('items', 'list', release)
    const { id } = items.find(({ title }: { title: string }) => title === 'Pay by card')
    const failed = ['--status', 'failed', '--comment', 'https://ci.example/1']
    assert.include((await run('items', 'tick', release, 'pay BY card', ...failed)).stdout, 'failed')
    const ticked = await json('items', 'tick', release, id)
    assert.deepEqual([ticked.status.type, ticked.status.comment.text], ['passed', failed[3]])
    const file = join(line.folder, 'evidence.json')
    assert.equal((await run('evidence', release, '-o', file)).code, 0)
    const { body } = await world.admin.get(`/app/${app}/release/${release}/evidence`)
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')).seal, body.seal)
  })

  test('plans, applies and pulls configuration files', async ({ assert }) => {
    const { run, json } = await setUp()
    const file = join(line.folder, 'app.yml')
    writeFileSync(file, 'name: Acme Pay\nplatform: ios\n')
    const plan = await run('import', 'runway', file, '--dry-run')
    assert.match(plan.stdout, /^\+ name: Acme Pay/m)
    const { id } = await json('config', 'apply', file)
    writeFileSync(file, 'name: Acme Pay\nplatform: ios\nappGroup: Money\n')
    assert.include((await run('config', 'plan', file, '--app', id)).stdout, 'Money')
    assert.include((await run('config', 'apply', file, '--app', id)).stdout, `${id} matches`)
    assert.equal((await run('config', 'plan', file, '--app', id)).stdout, 'Nothing would change.\n')
    const { stdout: yaml } = await run('config', 'pull', id)
    assert.include(yaml, 'appGroup: Money')
    assert.deepEqual(await json('config', 'pull', id), { app: id, yaml })
    writeFileSync(file, 'name: Acme Pay\nplatfrom: ios\n')
    const wrong = await run('config', 'apply', file)
    assert.equal(wrong.code, 2)
    assert.match(wrong.stderr, /line 2: .*platfrom/)
  })

  test('imports past releases from a table', async ({ assert }) => {
    const { app, run, json } = await setUp()
    const file = join(line.folder, 'past.csv')
    writeFileSync(file, 'version,releasedAt\n0.9.0,2026-01-10\n0.8.0,2025-12-10\n')
    const args = ['import', 'releases', file, '--app', app]
    assert.equal(
      (await run(...args, '--dry-run')).stdout,
      'Nothing was written. The import would result in: 2 created, 0 completed, 0 unchanged.\n'
    )
    assert.equal((await json(...args)).made, 2)
    assert.equal((await json(...args)).unchanged, 2)
    writeFileSync(file, 'version,releasedAt\none,2026-01-10\n')
    const wrong = await run(...args)
    assert.equal(wrong.code, 2)
    assert.match(wrong.stderr, /line 2: /)
    writeFileSync(
      file,
      'version,releasedAt,releaseName\n0.7.0,2025-11-10,Fr\u00fchling\n',
      'latin1'
    )
    const { code, stderr } = await run(...args)
    assert.equal(code, 2)
    assert.match(stderr, /not UTF-8/)
  })

  test('signs in by a code that is confirmed in the browser, and approves as that person', async ({
    assert,
  }) => {
    const { world, app, release, run } = await setUp()
    const person = await joined(world)
    const done = await signIn(world, person)
    assert.equal(done.code, 0)
    const { organization, person: who } = JSON.parse(done.stdout)
    assert.deepEqual([organization.id, who.email], [world.organizationId, person.email])
    const { key } = Object.values<{ key: string }>(
      JSON.parse(readFileSync(line.credentials, 'utf8')).services
    )[0]
    assert.notInclude(done.stdout + done.stderr, key)
    assert.equal(statSync(line.credentials).mode & 0o777, 0o600)

    await world.admin.post(`/app/${app}/approval`, { title: 'Legal agrees' })
    await run('release', 'kickoff', release)
    const approved = await line.run(['approve', release, 'legal agrees', '--json'])
    const { status, approvals } = JSON.parse(approved.stdout)
    assert.equal(status.type, 'approved')
    assert.containsSubset(approvals[0].actor, { type: 'user', id: person.userId })
    assert.equal((await line.run(['approve', release])).code, 6)
    // The organization comes from the sign-in.
    assert.include((await line.run(['apps'])).stdout, app)

    assert.include((await line.run(['logout'])).stdout, `Signed out of ${serviceUrl()}.\n`)
    assert.equal((await line.run(['apps'])).code, 3)
    assert.equal((await line.run(['why', release], { TARMAC_API_KEY: key })).code, 3)
  })

  test('exits with the codes that its README lists', async ({ assert }) => {
    const { world, app, release, env, run } = await setUp()
    const reader = { TARMAC_API_KEY: await readerKey(world) }
    const broken = createServer((_, response) => response.writeHead(500).end('broken'))
    const elsewhere = { ...env, TARMAC_URL: await listen(broken) }
    const codes = {
      done: await run('apps'),
      failed: await line.run(['release', 'kickoff', release, '--json'], elsewhere),
      misspelt: await run('aps'),
      without: await run('release', 'create', app),
      noRelease: await run('why', app),
      invalid: await run('release', 'create', app, 'one'),
      noFile: await run('config', 'apply', 'nothing.yml'),
      signedOut: await line.run(['apps']),
      wrongKey: await line.run(['why', release], { TARMAC_API_KEY: 'tarmac_x' }),
      forbidden: await line.run(['release', 'create', app, '2.0.0', '--if-missing'], reader),
      found: await line.run(['release', 'create', app, '1.0.0', '--if-missing'], reader),
      notFound: await run('why', `${app}:9.9.9`),
      tooLong: await run('wait', release, '--for', 'released', '--timeout', '9999999h'),
      noItem: await run('items', 'tick', release, 'Nothing'),
      taken: await run('release', 'create', app, '1.0.0'),
      late: await run('wait', release, '--for', 'released', '--timeout', '1s'),
    }
    broken.close()
    assert.deepEqual(
      Object.fromEntries(Object.entries(codes).map(([name, { code }]) => [name, code])),
      {
        ...{ done: 0, failed: 1, misspelt: 2, without: 2, noRelease: 2, invalid: 2, noFile: 2 },
        ...{
          signedOut: 3,
          wrongKey: 3,
          forbidden: 4,
          found: 0,
          notFound: 5,
          tooLong: 2,
          noItem: 5,
          taken: 6,
          late: 7,
        },
      }
    )
    for (const [name, { code, stdout, stderr }] of Object.entries(codes)) {
      if (code === 0) continue
      assert.equal(stdout, '', name)
      assert.match(stderr, /^\S.+\n/, name)
      assert.notInclude(stderr, '    at ', name)
    }
    assert.include(codes.misspelt.stderr, 'Did you mean apps?')
    assert.include(codes.forbidden.stderr, 'CreateDeleteRelease')
    assert.include(codes.notFound.stderr, `${app}:9.9.9`)
    assert.match(codes.wrongKey.stderr, /^[^\n]*[^.]\.\n$/)
    assert.notInclude(codes.wrongKey.stderr, 'login')
    assert.equal(codes.invalid.stderr.trim().split('\n').length, 1)
    const { stderr } = await run('why', `${app}:9.9.9`, '--json')
    assert.containsSubset(JSON.parse(stderr), { exit: 5, code: 'not_found', status: 404 })
    const readme = readFileSync('packages/cli/README.md', 'utf8')
    for (const code of [0, 1, 2, 3, 4, 5, 6, 7, 130, 141])
      assert.match(readme, new RegExp(`^\\| ${code} \\|`, 'm'))
  })

  test('refuses credentials that other users can read', async ({ assert }) => {
    const { world } = await setUp()
    await signIn(world, await joined(world))
    await promisify(execFile)('chmod', ['644', line.credentials])
    const refused = await line.run(['apps'])
    assert.equal(refused.code, 1)
    assert.include(refused.stderr, 'chmod 600')
  })

  test('prints a line per change when it watches in a pipe, and waits for a phase', async ({
    assert,
  }) => {
    const { release, env, run } = await setUp()
    const watching = line.start(['watch', release, '--every', '1s', '--json'], env)
    const watched = finished(watching)
    const waiting = line.run(['wait', release, '--for', 'kickedOff', '--every', '1s'], env)
    await waitForOutput(watching, /"to":"\w+, upcoming"/)
    const moved = waitForOutput(watching, /"from":"\w+, upcoming","to":"active, \w+"/)
    await run('release', 'kickoff', release)
    await moved
    watching.kill('SIGINT')
    const { code, stdout } = await watched
    assert.equal(code, 130)
    for (const each of stdout.trim().split('\n')) assert.property(JSON.parse(each), 'at')
    const waited = await waiting
    assert.deepEqual([waited.code, waited.stdout], [0, `${release} is kicked off.\n`])
  })

  test('watches and waits through an outage of the service', async ({ assert, cleanup }) => {
    const { release, env, run } = await setUp()
    let isDown = false
    const answered = new Set<number | undefined>()
    const bothAnswered = Promise.withResolvers<void>()
    const proxy = createServer(async ({ url, socket }, response) => {
      if (isDown) return void response.destroy()
      const headers = { 'x-api-key': env.TARMAC_API_KEY }
      const answer = await fetch(`${serviceUrl()}${url}`, { headers })
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(await answer.text())
      if (answered.add(socket.remotePort).size === 2) bothAnswered.resolve()
    })
    const behind = { ...env, TARMAC_URL: await listen(proxy) }
    cleanup(() => void proxy.close())
    const options = [release, '--every', '1s']
    const watching = line.start(['watch', ...options], behind)
    const waiting = line.start(['wait', ...options, '--for', 'kickedOff'], behind)
    const [watched, waited] = [finished(watching), finished(waiting)]
    await waitForOutput(watching, /upcoming/)
    // An outage before the first answer ends a command.
    await bothAnswered.promise
    const isOut = [watching, waiting].map((each) => waitForOutput(each, /\. Trying again\.\n/))
    isDown = true
    await Promise.all(isOut)
    isDown = false
    const moved = waitForOutput(watching, /upcoming → active/)
    await run('release', 'kickoff', release)
    await moved
    watching.kill('SIGINT')
    assert.equal((await watched).code, 130)
    const { code, stdout, stderr } = await waited
    assert.deepEqual([code, stdout], [0, `${release} is kicked off.\n`])
    assert.lengthOf(stderr.match(/Trying again/g)!, 1)
  }).timeout(60_000)

  test('prints colours in a terminal unless NO_COLOR is set, and no control characters of titles', async ({
    assert,
  }) => {
    const { world, app, release, env } = await setUp()
    await world.admin.post(`/app/${app}/approval`, { title: 'Legal \u001b[31magrees' })
    const shown = await line.inTerminal(['why', release], env)
    assert.include(shown, '\u001b[1m')
    assert.notInclude(shown, '\u001b[31magrees')
    const plain = await line.inTerminal(['why', release], { ...env, NO_COLOR: '1' })
    assert.notInclude(plain, '\u001b[')
  })

  for (const [shell, completed] of Object.entries(SHELLS)) {
    if (spawnSync(shell, ['--version']).error) continue
    test(`completes commands, options and their values in ${shell}`, async ({ assert }) => {
      const { stdout: script } = await line.run(['completion', shell])
      const offered = async (...words: string[]) => {
        const { stdout } = await promisify(execFile)(shell, ['-c', completed(script, words)])
        return stdout.trim().split('\n').sort()
      }
      assert.includeMembers(await offered(''), ['login', 'release', 'red-button'])
      assert.deepEqual(await offered('release', ''), ['create', 'kickoff', 'submit'])
      const options = await offered('release', 'create', 'acme-ios', '-')
      assert.includeMembers(options, ['--if-missing', '--json'])
      const types = await offered('release', 'create', 'acme-ios', '--type', '')
      assert.deepEqual(types, ['hotfix', 'release', 'rollback'])
      // The value of an option is no command.
      const after = await offered('--url', 'https://acme.example', 'release', '')
      assert.deepEqual(after, ['create', 'kickoff', 'submit'])
    })
  }

  test('knows its version and its licences, and refuses an unknown shell', async ({ assert }) => {
    assert.equal((await line.run(['completion', 'csh'])).code, 2)
    const { version } = JSON.parse(readFileSync('packages/cli/package.json', 'utf8'))
    assert.equal((await line.run(['--version'])).stdout, `${version}\n`)
    const licences = readFileSync(join(line.folder, 'package/build/LICENSES.txt'), 'utf8')
    for (const each of ['commander', 'openapi-fetch']) assert.include(licences, each)
  })
})

/** Returns the text of a key that can only read. */
async function readerKey(world: World): Promise<string> {
  return (await world.write((scope) => new CreateKey(scope).handle({ name: 'reader' }))).key
}
