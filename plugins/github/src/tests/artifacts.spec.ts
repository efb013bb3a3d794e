import { createHash } from 'node:crypto'
import { constants, deflateRawSync } from 'node:zlib'
import { test } from '@japa/runner'
import type { ContinuousIntegration, ProviderError } from '@tarmac/plugin-kit'
import { Bench } from '@tarmac/plugin-kit/testing'
import GitHubActions from '../capabilities/actions.js'
import { GitHubFake } from '../fake/github_fake.js'
import { sampleScenario } from '../fake/sample_scenario.js'
import { zipOf } from '../fake/zip.js'
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
  const fake = bench.fake as GitHubFake
  const stored = () => fake.requests().filter(({ url }) => url.includes('blob.core'))
  return {
    bench,
    fake,
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

const GIB = 1024 ** 3
const KIB = 1024

/**
 * Returns an archive in the format zip64 with one file of zeros, whose packed form is the same
 * block again and again.
 * @param blocks its size in MiB
 * @param more further bytes
 */
function largeArchive(name: string, blocks: number, more = 0): Buffer {
  const zeros = (bytes: number) =>
    deflateRawSync(Buffer.alloc(bytes), { finishFlush: constants.Z_FULL_FLUSH })
  const block = zeros(KIB * KIB)
  const packed = Buffer.concat([
    ...Array.from({ length: blocks }, () => block),
    zeros(more),
    deflateRawSync(''),
  ])
  const path = Buffer.from(name)
  const sizes = Buffer.alloc(20)
  sizes.writeUInt16LE(1, 0)
  sizes.writeUInt16LE(16, 2)
  sizes.writeBigUInt64LE(BigInt(blocks * KIB * KIB + more), 4)
  sizes.writeBigUInt64LE(BigInt(packed.length), 12)
  /** The members of an entry from its version on, which both of its headers have. */
  const common = Buffer.alloc(26)
  common.writeUInt16LE(45, 0)
  common.writeUInt16LE(8, 4)
  common.writeUInt32LE(0xffffffff, 14)
  common.writeUInt32LE(0xffffffff, 18)
  common.writeUInt16LE(path.length, 22)
  common.writeUInt16LE(sizes.length, 24)
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, path, sizes, packed])
  const [version, rest] = [Buffer.from([45, 0]), Buffer.alloc(14)]
  const listed = Buffer.concat([Buffer.from('PK\x01\x02'), version, common, rest, path, sizes])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, listed, end])
}

const refusal = (call: Promise<unknown>): Promise<ProviderError> =>
  call.then(
    () => {
      throw new Error('It went well')
    },
    (error: ProviderError) => error
  )

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

  test('a file that was uploaded without an archive is listed as it is, even if it is a zip itself', async ({
    assert,
  }) => {
    // Text, so that the scenario can hold it.
    const zipped = zipOf([{ name: 'classes.dex', content: 'dex' }]).toString('latin1')
    const { fake, ci, read } = await runWith([
      { id: '8', name: 'notes.txt', content: 'Notes' },
      { id: '9', name: 'app.apk', content: 'in an archive' },
      { id: '10', name: 'empty.txt', content: '' },
      { id: '11', name: 'app-release.apk', content: zipped },
    ])
    fake.actions.unzipped.add('8').add('10').add('11')
    const files = await ci.listArtifacts('5')
    assert.deepEqual(
      files.map(({ name, bytes }) => [name, bytes]),
      [
        ['notes.txt', 5],
        ['app.apk', 13],
        ['empty.txt', 0],
        ['app-release.apk', Buffer.byteLength(zipped)],
      ]
    )
    assert.deepEqual(await Promise.all(files.map(({ id }) => read(id))), [
      ...['Notes', 'in an archive', '', zipped],
    ])
  })

  test('a storage that is away is not taken for an artifact that has expired', async ({
    assert,
  }) => {
    const { fake, ci } = await runWith([{ id: '9', name: 'app.apk', content: 'an app' }])
    const away = { status: 503 }
    fake.failNext('pass', 'pass', away, away, away)
    const { code, detail } = await refusal(ci.openArtifact('5', '9/app.apk'))
    assert.deepEqual([code, detail.outcome], ['unavailable', 'notApplied'])
    fake.failNext('pass', 'pass', away, away, away)
    assert.equal((await refusal(ci.listArtifacts('5'))).code, 'unavailable')
    assert.lengthOf(await ci.listArtifacts('5'), 1)
  })

  test('a storage that refuses is reported with who can change that', async ({ assert }) => {
    const { fake, ci } = await runWith([{ id: '9', name: 'app.apk', content: 'an app' }])
    for (const status of [401, 403]) {
      fake.failNext('pass', 'pass', { status })
      const { code, message, detail } = await refusal(ci.listArtifacts('5'))
      assert.deepEqual(
        [code, detail.outcome, detail.reason],
        ['forbidden', 'notApplied', 'storage']
      )
      assert.match(message, /answered 40[13]\. Whoever runs the server lets Tarmac read/)
    }
  })

  test('an artifact that is deleted meanwhile does not keep the others from being listed', async ({
    assert,
  }) => {
    const { fake, ci } = await runWith([
      { id: '8', name: 'gone.apk', content: 'gone' },
      { id: '9', name: 'app.apk', content: 'an app' },
    ])
    fake.failNext('pass', { status: 410, body: { message: 'Artifact has expired' } })
    assert.deepEqual(
      (await ci.listArtifacts('5')).map(({ name }) => name),
      ['app.apk']
    )
  })

  test('an archive that cannot be read says so', async ({ assert }) => {
    const { fake, ci } = await runWith([{ id: '9', name: 'app.apk', content: 'an app' }])
    fake.actions.archives.set('9', Buffer.from('no zip at all'))
    const { code, message } = await refusal(ci.listArtifacts('5'))
    assert.equal(code, 'protocol')
    assert.match(message, /^The archive of the artifact cannot be read: /)
  })

  test('a reader who gives up ends the download', async ({ assert }) => {
    const { bench } = await runWith([{ id: '9', name: 'app.apk', content: incompressible('app') }])
    const context = bench.context('ci')
    let isCanceled = false
    const ci = new GitHubActions({
      ...context,
      fetch: async (input, init) => {
        const response = await context.fetch(input, init)
        const bytes = new Uint8Array(await response.arrayBuffer())
        const body = new ReadableStream<Uint8Array>({
          pull: (controller) => controller.enqueue(bytes),
          cancel: () => {
            isCanceled = true
          },
        })
        const { status, headers } = response
        return new Response(bytes.length > 100_000 ? body : bytes, { status, headers })
      },
    })
    const reader = (await ci.openArtifact('5', '9/app.apk')).getReader()
    await reader.read()
    await reader.cancel()
    await new Promise((resolve) => setImmediate(resolve))
    assert.isTrue(isCanceled)
  })

  test('a file of 4 GiB is streamed whole', async ({ assert }) => {
    const { fake, ci } = await runWith([{ id: '9', name: 'app.apk', content: '' }])
    fake.actions.archives.set('9', largeArchive('app.apk', 4 * KIB))
    const [file] = await ci.listArtifacts('5')
    assert.equal(file.bytes, 4 * GIB)
    let bytes = 0
    for await (const chunk of await ci.openArtifact('5', file.id)) bytes += chunk.length
    assert.equal(bytes, 4 * GIB)
  })
    .tags(['@long'])
    .timeout(600_000)

  test('a larger file is listed, and refused before it is read', async ({ assert }) => {
    const { fake, ci, sent } = await runWith([{ id: '9', name: 'app.apk', content: '' }])
    fake.actions.archives.set('9', largeArchive('app.apk', 4 * KIB, 1))
    const [file] = await ci.listArtifacts('5')
    assert.equal(file.bytes, 4 * GIB + 1)
    const before = sent()
    const { code, message, detail } = await refusal(ci.openArtifact('5', file.id))
    assert.deepEqual([code, detail.reason], ['unsupported', 'size'])
    assert.equal(message, '"app.apk" has 4294967297 bytes, and at most 4 GiB are read')
    assert.isBelow(sent() - before, 200_000)
  })
})
