import { createHash } from 'node:crypto'
import { test } from '@japa/runner'
import type { ContinuousIntegration } from '@tarmac/plugin-kit'
import { Bench } from '@tarmac/plugin-kit/testing'
import { GitHubFake } from '../fake/github_fake.js'
import { sampleScenario } from '../fake/sample_scenario.js'
import plugin from '../plugin.js'

const options = {
  plugin,
  fake: () => new GitHubFake(),
  credentials: { good: { token: 'good-token-4711' }, bad: { token: 'bad-token-4711' } },
  data: { ci: { 'workflowId': 'release.yml', 'x-repository': 'acme/app' } },
}

interface File {
  id: string
  name: string
  content: string
}

/** Returns a run 5 whose artifacts hold these files; those with the same id are in one archive. */
async function runWith(files: readonly File[]) {
  const bench = new Bench(options)
  const scenario = sampleScenario()
  const run = { id: '5', workflowId: 'release.yml', branch: 'main', sha: 'a'.repeat(40) }
  scenario.ci!.runs = [{ ...run, state: 'succeeded' }]
  scenario.ci!.artifacts = files.map((each) => ({ ...each, runId: '5', isExpired: false }))
  bench.seed(scenario)
  const ci: ContinuousIntegration = await bench.capability('ci')
  const { fake } = bench
  const stored = () => fake.requests().filter(({ url }) => url.includes('blob.core'))
  return {
    bench,
    ci,
    /** Returns how many bytes the storage has sent. */
    sent: () => stored().reduce((sum, { response }) => sum + (response?.body.length ?? 0), 0),
    read: async (id: string) => new Response((await ci.openArtifact('5', id)) as never).text(),
  }
}

/** Returns text that hardly becomes smaller by compression. */
const incompressible = (seed: string, lines = 7000) =>
  Array.from({ length: lines }, (_, line) =>
    createHash('sha256').update(`${seed} ${line}`).digest('base64')
  ).join('\n')

test.group('GitHub | artifacts', () => {
  test('each file of an archive is listed, and one of them is streamed without the others', async ({
    assert,
  }) => {
    const content = incompressible('app')
    const { bench, ci, sent, read } = await runWith([
      { id: '9', name: 'other.apk', content: incompressible('other') },
      { id: '9', name: 'out/app.apk', content },
      { id: '9', name: 'out/mapping.txt', content: 'a -> b\n'.repeat(10_000) },
      { id: '9', name: 'übersicht.txt', content: '' },
    ])
    const files = await ci.listArtifacts('5')
    assert.deepEqual(
      files.map(({ name, bytes }) => [name, bytes]),
      [
        ['other.apk', content.length],
        ['out/app.apk', content.length],
        ['out/mapping.txt', 70_000],
        ['übersicht.txt', 0],
      ]
    )
    const listed = sent()
    assert.isBelow(listed, 100_000, 'The whole archive was read for its names')
    // The link is valid for a minute.
    bench.pass(90_000)
    assert.equal(await read(files[1].id), content)
    assert.isBelow(sent() - listed, content.length + 100_000, 'The other file was read, too')
    assert.equal(await read(files[2].id), 'a -> b\n'.repeat(10_000))
    assert.equal(await read(files[3].id), '')
  })

  test('all artifacts of a run are listed, however many pages they fill', async ({ assert }) => {
    const names = Array.from({ length: 101 }, (_, index) => `split-${index}.apk`)
    const { ci, read } = await runWith(
      names.map((name, index) => ({ id: String(index + 1), name, content: name }))
    )
    const files = await ci.listArtifacts('5')
    assert.deepEqual(
      files.map(({ name }) => name),
      names
    )
    assert.equal(await read(files[100].id), 'split-100.apk')
  })
})
