import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test } from '@japa/runner'
import { parse, stringify } from 'yaml'
import { CommandLine } from './support/command_line.js'
import { LONG } from './support/effort.js'
import { serviceUrl } from './support/processes.js'
import { VERSION } from '../packages/cli/version.js'
import { makeWorld } from './support/world.js'

/*
 * The steps of CI are validated by the tools of their systems and run against the service. Shell
 * code in their inputs is not executed.
 */

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../', import.meta.url))
const BIN = join(ROOT, 'node_modules/.bin')

interface Action {
  inputs: Record<string, { default?: string; required?: boolean }>
  outputs: Record<string, { value: string }>
  runs: { steps: { id?: string; run: string; env: Record<string, string> }[] }
}

const readAction = () => parse(readFileSync(join(ROOT, 'ci/github/action.yml'), 'utf8')) as Action

/** The path that the README uses. */
const CLI = `tools/tarmac-cli-${VERSION}.tgz`

let line: CommandLine

/** Makes an app, and a folder with a build and with notes that would do harm in a shell. */
async function setUp(cleanup: (end: () => void) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'tarmac-ci-'))
  cleanup(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'app.yml'), 'name: Acme\nplatform: ios\n')
  writeFileSync(join(folder, 'Acme.bin'), 'a build')
  mkdirSync(join(folder, 'tools'))
  cpSync(line.tarball, join(folder, CLI))
  const world = await makeWorld()
  const env = { TARMAC_API_KEY: world.adminKey, TARMAC_ORG: world.organizationId }
  const made = await line.run(['config', 'apply', join(folder, 'app.yml'), '--json'], env)
  const app = JSON.parse(made.stdout).id as string
  await world.admin.post(`/app/${app}/regressionItem`, { title: 'Smoke test' })
  const harm = join(folder, 'harm')
  const notes = `"; touch ${harm}; $(touch ${harm}) \`touch ${harm}\` ' && touch ${harm} #`
  const assertUploaded = async (assert: { [name: string]: any }) => {
    assert.isFalse(existsSync(harm))
    const { body: buckets } = await world.admin.get(`/app/${app}/bucket`)
    const { id } = buckets.find(({ type }: { type: string }) => type === 'rc')
    const { body } = await world.admin.get(`/app/${app}/bucket/${id}/builds`)
    assert.lengthOf(body.data, 1)
    assert.containsSubset(body.data[0], { testerNotes: notes, artifactFileName: 'Acme.bin' })
    assert.sameMembers(body.data[0].tags, ['nightly', 'pay'])
    const release = `${app}:1.2.0`
    const items = await world.admin.get(`/app/${app}/release/${release}/checklistItems`)
    const item = items.body.find(({ title }: { title: string }) => title === 'Smoke test')
    assert.equal(item.status.type, 'passed')
    return { release, build: body.data[0].id as string, comment: item.status.comment?.text }
  }
  return { folder, world, app, notes, assertUploaded }
}

test.group('CI steps', (group) => {
  group.setup(async () => {
    line = await CommandLine.install()
    return () => line.remove()
  })

  test('the action is valid, and passes inputs to its shell only by the environment', async ({
    assert,
  }) => {
    await run(join(BIN, 'action-validator'), [join(ROOT, 'ci/github/action.yml')])
    const { inputs, runs } = readAction()
    const given = runs.steps.flatMap(({ env }) => Object.values(env))
    for (const name of Object.keys(inputs)) assert.include(given, `\${{ inputs.${name} }}`)
    for (const { run: script } of runs.steps) assert.notInclude(script, '${{')
    const gitlab = readFileSync(join(ROOT, 'ci/gitlab/templates/tarmac.yml'), 'utf8')
    const [, job] = gitlab.split('\n---\n')
    const script = /\n {2}script:\n((?: {4}.*\n)+)/.exec(job)![1]
    assert.notInclude(script, '$[[')
    const lane = readFileSync(join(ROOT, 'ci/fastlane/Fastfile'), 'utf8')
    assert.include(lane, 'Not validated')
    assert.include(readFileSync(join(ROOT, 'ci/bitrise/step.sh'), 'utf8'), 'Not validated')
  })

  test('the action finds or drafts a release, uploads a build and posts a result', async ({
    assert,
    cleanup,
  }) => {
    const { folder, world, app, notes, assertUploaded } = await setUp(cleanup)
    const { inputs, outputs, runs } = readAction()
    const given: Record<string, string> = {
      ...{ 'cli': CLI, 'url': serviceUrl(), 'api-key': world.adminKey, app, notes },
      ...{ version: '1.2.0', file: 'Acme.bin', tags: 'nightly\npay', item: 'Smoke test' },
    }
    const value = (text: string): string =>
      text.replace(/\$\{\{ (\S+) \}\}/g, (_, name: string): string => {
        const input = /^inputs\.(.+)$/.exec(name)?.[1]
        return input ? (given[input] ?? value(inputs[input].default!)) : `<${name}>`
      })
    const output = join(folder, 'output')
    for (const { run: script, env } of runs.steps) {
      const own = Object.entries(env).map(([name, text]) => [name, value(text)])
      const runner = { RUNNER_TEMP: folder, GITHUB_OUTPUT: output }
      await run('bash', ['-e', '-o', 'pipefail', '-c', script], {
        cwd: folder,
        env: { ...line.env(), ...runner, ...Object.fromEntries(own) },
      })
    }
    const { release, build, comment } = await assertUploaded(assert)
    assert.equal(comment, '<github.server_url>/<github.repository>/actions/runs/<github.run_id>')
    const reported = readFileSync(output, 'utf8')
    assert.include(reported, `release=${release}\nbuild=${build}\nsha256=`)
    for (const [name, { value: source }] of Object.entries(outputs)) {
      assert.equal(source, `\${{ steps.tarmac.outputs.${name} }}`)
      assert.match(reported, new RegExp(`^${name}=.`, 'm'))
    }
  }).timeout(60_000)

  test('the GitLab component does the same', async ({ assert, cleanup }) => {
    const { folder, world, app, notes, assertUploaded } = await setUp(cleanup)
    mkdirSync(join(folder, 'templates'))
    cpSync(join(ROOT, 'ci/gitlab/templates'), join(folder, 'templates'), { recursive: true })
    const inputs = {
      ...{ job: 'upload', cli: CLI, url: serviceUrl(), app, notes, version: '$WANTED' },
      ...{
        file: 'Acme.bin',
        tags: 'nightly\npay',
        item: 'Smoke test',
        item_comment: 'Found none.',
      },
    }
    const include = [{ local: 'templates/tarmac.yml', inputs }]
    writeFileSync(join(folder, '.gitlab-ci.yml'), stringify({ include }))
    const git = (...args: string[]) => run('git', args, { cwd: folder })
    await git('init', '--quiet', '--initial-branch=main')
    await git('remote', 'add', 'origin', 'git@gitlab.example:acme/app.git')
    await git('add', '-A')
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@acme.example']
    await git(...who, 'commit', '--quiet', '-m', 'A pipeline')
    const options = ['--force-shell-executor', '--no-artifacts-to-source']
    const key = ['--variable', `TARMAC_API_KEY=${world.adminKey}`, '--variable', 'WANTED=1.2.0']
    await run(join(BIN, 'gitlab-ci-local'), [...options, ...key, 'upload'], {
      cwd: folder,
      env: line.env({ PATH: process.env.PATH }),
    })
    const { comment } = await assertUploaded(assert)
    assert.equal(comment, 'Found none.')
  })
    .timeout(60_000)
    .tags([LONG])

  test('tarmac ci names the setting that is missing or wrong, and waits', async ({
    assert,
    cleanup,
  }) => {
    const { world, app } = await setUp(cleanup)
    const ci = (settings: Record<string, string>) =>
      line.run(['ci'], { TARMAC_API_KEY: world.adminKey, ...settings })
    const withoutApp = await ci({})
    assert.deepEqual([withoutApp.code, withoutApp.stderr], [2, 'Name the app: TARMAC_APP.\n'])
    const wanted = { TARMAC_APP: app, TARMAC_VERSION: '1.3.0' }
    assert.equal((await ci({ TARMAC_APP: app, TARMAC_ITEM: 'x' })).code, 2)
    const { code, stderr } = await ci({ ...wanted, TARMAC_TIMEOUT: 'abc' })
    assert.equal(code, 2)
    assert.match(stderr, /"abc" is not a duration/)
    const json = await line.run(['ci', '--json'], { TARMAC_API_KEY: world.adminKey, ...wanted })
    assert.equal(JSON.parse(json.stdout).release.id, `${app}:1.3.0`)
    assert.equal((await ci({ ...wanted, TARMAC_WAIT_FOR: 'someday' })).code, 2)
    assert.equal(
      (await ci({ ...wanted, TARMAC_WAIT_FOR: 'released', TARMAC_TIMEOUT: '1s' })).code,
      7
    )
  })
})
