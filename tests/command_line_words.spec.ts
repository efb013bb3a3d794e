import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { connect } from '#integrations/tests/support/connect'
import { makeApp } from './support/app_fixture.js'
import { CommandLine, waitForOutput } from './support/command_line.js'
import { finished, listen } from './support/processes.js'
import { makeWorld } from './support/world.js'

/*
 * What the command line says: in words, and without members of the API.
 */

let line: CommandLine

/** A code of the API, such as `kickedOff` or `required_step_incomplete`. */
const CODE = /[a-z][A-Z]|[a-z]_[a-z]/

/** Makes an app with a release, and functions that run the command line with its admin key. */
async function setUp() {
  const world = await makeWorld()
  const releaseTypes = { standard: { required: true } }
  const app = await makeApp(world, {
    steps: [
      { type: 'kickoff', name: 'Begin', releaseTypes },
      { type: 'regressionTesting', name: 'Test it', releaseTypes },
      { type: 'submission', name: 'Submit it', releaseTypes },
    ],
  })
  await world.admin.post(`/app/${app}/release`, { version: '1.0.0' })
  const env = { TARMAC_API_KEY: world.adminKey, TARMAC_ORG: world.organizationId }
  const run = (...args: string[]) => line.run(args, env)
  return { world, app, release: `${app}:1.0.0`, env, run }
}

test.group('The words of the command line', (group) => {
  group.setup(async () => {
    line = await CommandLine.install()
    return () => line.remove()
  })
  group.each.setup(() => line.forget())

  test('the red button says what it did where no store has anything to stop', async ({
    assert,
  }) => {
    const { release, run } = await setUp()
    const { code, stdout } = await run('red-button', release, '--reason', 'It crashes')
    assert.equal(code, 0)
    assert.include(stdout, `${release} is being stopped: its automations are paused`)
    const { stdout: help } = await run('red-button', '--help')
    assert.match(help, /pause\s+its\s+automations\s+and\s+open\s+a\s+triage\s+issue/)
  })

  test('a remedy names the options of the command line', async ({ assert, cleanup }) => {
    const detail =
      'These required steps are still open: QA. Complete them, or submit it anyway with force=true.'
    const problem = { status: 409, code: 'steps_incomplete', detail, errors: [] }
    const refusing = createServer((_, response) =>
      response
        .writeHead(409, { 'content-type': 'application/problem+json' })
        .end(JSON.stringify(problem))
    )
    const env = { TARMAC_API_KEY: 'tarmac_x', TARMAC_URL: await listen(refusing) }
    cleanup(() => void refusing.close())
    const { code, stderr } = await line.run(['release', 'submit', 'acme:1.0.0'], env)
    assert.deepEqual([code, stderr], [6, `${detail.replace('force=true', '--incomplete')}\n`])
  })

  test('a broken field is named in words, and once', async ({ assert }) => {
    const { world, app, run } = await setUp()
    const { body } = await world.admin.post(`/app/${app}/release`, {
      version: '2.0.0',
      releaseName: '',
    })
    assert.equal(body.detail, 'The releaseName field must have at least 1 character')
    const { code, stderr } = await run('release', 'create', app, '2.0.0', '--name', 'x'.repeat(999))
    assert.equal(code, 2)
    assert.match(stderr, /^Release name: it must not be greater than \d+ characters\n$/)
    const file = join(line.folder, 'app.yml')
    const git = '  git: { type: github, provider: "github:1", data: { repoName: a/b } }'
    writeFileSync(file, `name: Acme\nplatform: ios\nintegrations:\n${git}\n`)
    const plan = await run('config', 'plan', file)
    assert.equal(plan.code, 2)
    assert.match(plan.stderr, /^The configuration file is invalid: 2 problems:\n/)
    assert.lengthOf(plan.stderr.match(/github-vcs/g)!, 1)
    assert.match(plan.stderr, /did you mean "github-\w+"(, "github-\w+")* or "github-\w+"\?/)
    assert.match(plan.stderr, /No provider "github:1": .*provider:connect/)
    assert.notMatch(plan.stderr, /sim-| {2}\//)
  })

  test('why and watch name states and people in words', async ({ assert }) => {
    const { release, env, run } = await setUp()
    await run('release', 'kickoff', release)
    const { stdout } = await run('why', release)
    assert.match(stdout, /^\S+ {2}active, ready to submit\n/)
    assert.include(stdout, 'someone who may ')
    assert.notMatch(stdout.replaceAll(release, ''), CODE)
    const watching = line.start(['watch', release, '--every', '1s'], env)
    const watched = finished(watching)
    await waitForOutput(watching, /active, ready to submit\n(.*\n)+/)
    watching.kill('SIGINT')
    const lines = (await watched).stdout.replaceAll(release, '').trim().split('\n')
    for (const each of lines) assert.notMatch(each, CODE)
  })

  test('a file of Runway becomes an app with its integrations and steps', async ({ assert }) => {
    const { world, run } = await setUp()
    await connect(world, 'memory', { alias: 'chat:1' })
    const file = join(line.folder, 'config.yml')
    const text = [
      ...['name: Acme Pay', 'platform: ios', 'integrations:'],
      '  talk: { type: slack, provider: "chat:1", data: { primaryChannelIds: [C1] } }',
      ...['stepGroups:', '  - steps:'],
      '      - { name: Begin, archetype: kickoff, releaseTypes: { standard: { required: true } } }',
    ]
    writeFileSync(file, text.join('\n'))
    const { code, stdout, stderr } = await run('import', 'runway', file)
    assert.equal(code, 0, stderr)
    const id = /^Created (\S+)\.\n$/.exec(stdout)![1]
    const { text: yaml } = await world.admin.get(`/app/${id}/app/config`)
    for (const each of ['name: Acme Pay', 'talk:', 'name: Begin']) assert.include(yaml, each)
    assert.include((await run('release', 'create', id, '2.0.0')).stdout, `${id}:2.0.0 is `)
    const { body: steps } = await world.admin.get(`/app/${id}/release/${id}:2.0.0/steps`)
    assert.deepEqual(
      steps.map(({ name }: { name: string }) => name),
      ['Begin']
    )
  })

  test('tarmac ci names its variables, the misspelt one, and that there is nothing to do', async ({
    assert,
  }) => {
    const { app, env, run } = await setUp()
    const settings = { ...env, TARMAC_APP: app }
    const idle = await line.run(['ci'], { ...settings, TARMAC_VERISON: '1.3.0' })
    assert.equal(idle.code, 2)
    const [warning, nothing] = idle.stderr.split('\n')
    assert.match(warning, /^TARMAC_VERISON .* Did you mean TARMAC_VERSION\?$/)
    assert.match(nothing, /^Nothing to do: set TARMAC_VERSION, TARMAC_FILE/)
    const { stdout: help } = await run('ci', '--help')
    for (const each of ['TARMAC_URL', 'TARMAC_WAIT_FOR', 'TARMAC_OUTPUT'])
      assert.match(help, new RegExp(`^ +${each} +\\S`, 'm'))
    const tagged = await line.run(['ci'], { ...settings, TARMAC_VERSION: 'v4.2.0' })
    assert.deepEqual([tagged.code, tagged.stderr], [0, ''])
    assert.include(tagged.stdout, `${app}:4.2.0 is upcoming`)
  })

  test('tarmac ci without a key names what the job lacks', async ({ assert }) => {
    const settings = { TARMAC_ORG: 'org_1', TARMAC_APP: 'acme', TARMAC_VERSION: '1.0.0' }
    const github = await line.run(['ci'], { ...settings, GITHUB_ACTIONS: 'true' })
    assert.equal(github.code, 3)
    assert.include(github.stderr, 'permissions: id-token: write')
    const gitlab = await line.run(['ci'], { ...settings, GITLAB_CI: 'true' })
    assert.equal(gitlab.code, 3)
    assert.match(gitlab.stderr, /"id_tokens" with TARMAC_ID_TOKEN/)
  })
})
