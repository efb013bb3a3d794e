import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { RecordCiBuild } from '#builds/actions/record_ci_build'
import { fetchArtifact } from '#builds/fetch_artifact'
import type { CIBuildStatus } from '#builds/vocabulary'
import { MINUTE, SECOND, Stage } from '#foundation/agenda/tests/support/stage'
import { SystemClock } from '#foundation/core/clock'
import { replaceIntegrations } from '#integrations/store_integrations'
import { integrationEntities } from '#integrations/queries/app_integrations'
import { connect } from '#integrations/tests/support/connect'
import { ProviderServer, type Behaviour } from '#integrations/tests/support/provider_server'
import type { PluginContext } from '#plugin-kit/context'
import { definePlugin, type Plugin } from '#plugin-kit/plugin'
import { makeApp } from '#tests/support/app_fixture'
import { CUSTOM_BUILD } from '#tests/support/custom_integrations'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { storedKeys } from './support.js'

/** A CI system at a host of one's own, of which the artifacts can be had. */
class BoxCi {
  constructor(private readonly ctx: PluginContext) {}

  openArtifact(runId: string, artifactId: string) {
    const params = { runId, artifactId }
    return this.ctx.http.download({
      method: 'GET',
      path: '/runs/{runId}/files/{artifactId}',
      params,
    })
  }
}

const box = definePlugin({
  manifest: {
    id: 'box',
    aliases: [],
    name: 'Box',
    version: '1.0.0',
    spi: 1,
    docsUrl: 'https://box.example/docs',
    hosts: { allow: [], selfHosted: true },
    auth: [{ scheme: 'none' }],
    credentialSchema: { type: 'object', properties: {} },
    connectionSchema: {
      type: 'object',
      properties: { host: { type: 'string', maxLength: 255 } },
    },
    rate: { requests: 1000, perSeconds: 1, concurrency: 10, scope: 'credential' },
    capabilities: { ci: { type: 'codemagic', features: [] } },
  },
  lifecycle: async () => ({
    default: { check: async () => ({ account: 'box', missingPermissions: [] }) },
  }),
  capabilities: { ci: async () => ({ default: BoxCi }) },
} as unknown as Plugin)

const bytes =
  (content: string, status = 200): Behaviour =>
  (response) => {
    response.writeHead(status, { 'content-length': Buffer.byteLength(content) })
    response.end(content)
  }

/** An app whose builds come from a provider, with buckets that take those of release branches. */
async function makeProvided(cleanup: (work: () => Promise<void>) => void, buckets = 1) {
  await loadTestPlugins({ box: async () => ({ default: box }) })
  cleanup(async () => void (await loadTestPlugins()))
  const server = await new ProviderServer().start()
  cleanup(() => server.stop())
  const stage = await Stage.set(fetchArtifact)
  const { world } = stage
  const app = await makeApp(world)
  const { id: provider } = await connect(world, 'box', { settings: { host: server.origin } })
  await world.write((scope) =>
    replaceIntegrations(scope, app, [
      { key: 'ci', type: 'codemagic', kind: 'ci', provider, data: {} },
    ])
  )
  const [{ id: installation }] = await world.write((scope) => integrationEntities(scope, app))
  const rules = [
    { type: 'Branch', branch: 'release/{version}', fileFilterPatterns: ['*.ipa', '*.txt'] },
  ]
  const paths: string[] = []
  for (let each = 0; each < buckets; each++) {
    const { body } = await world.admin.post(`/app/${app}/bucket`, { name: `Beta ${each}`, rules })
    paths.push(`/app/${app}/bucket/${body.id}`)
  }
  return {
    stage,
    world,
    app,
    admin: world.admin,
    server,
    paths,
    /** What a look at the provider saw of a build. */
    observe: (status: CIBuildStatus, names = ['Acme.ipa'], branch = CUSTOM_BUILD.branch) =>
      world.write((scope) =>
        new RecordCiBuild(scope).observe({
          ...CUSTOM_BUILD,
          branch,
          appId: app,
          installationId: installation,
          integrationId: 'codemagic',
          baseBranch: null,
          status,
          files: names.map((fileName) => ({
            kind: 'artifact',
            fileName,
            contentType: 'application/octet-stream',
            size: 3,
            source: { runId: '7', artifactId: fileName },
          })),
        })
      ),
    /** Lets a worker do what is due by now. @returns how often the provider was asked since */
    async work() {
      const before = server.seen.length
      stage.clock.travelTo(new SystemClock().now())
      while ((await stage.worker.turn()) > 0);
      return server.seen.length - before
    },
    builds: async (path: string) => (await world.admin.get(`${path}/builds`)).body.data,
    told: async () =>
      (await world.events())
        .map(({ type }) => type)
        .filter((type) => type.startsWith('buildDistro.')),
  }
}

test.group('Artifacts that a CI provider keeps', () => {
  test('are fetched once a bucket takes their build, and are then in every such bucket', async ({
    assert,
    cleanup,
  }) => {
    const { admin, server, paths, observe, work, builds, told } = await makeProvided(cleanup, 2)
    server.answers(bytes('the app'))
    const before = await storedKeys()
    await observe('running')
    assert.equal(await work(), 0, 'it is not over')
    await observe('success')
    await observe('success')
    const [waiting] = await builds(paths[0])
    assert.deepEqual([waiting.status, waiting.fileSize, waiting.downloadUrl], ['pending', 3, null])
    assert.deepEqual(await told(), Array(2).fill('buildDistro.newBuildAvailable'))
    assert.equal(await work(), 1)
    await observe('success')
    assert.equal(await work(), 0)
    assert.deepEqual(
      server.seen.map(({ url }) => url),
      ['/runs/7/files/Acme.ipa']
    )
    for (const path of paths) {
      const [build, ...more] = await builds(path)
      assert.isEmpty(more)
      assert.deepEqual([build.status, build.fileSize], ['active', 7])
      assert.equal((await admin.get(new URL(build.downloadUrl).pathname)).text, 'the app')
    }
    assert.deepEqual((await told()).slice(2), Array(2).fill('buildDistro.buildArtifactAvailable'))
    assert.lengthOf(await storedKeys(), before.length + 1)
  })

  test('that no bucket takes are never fetched', async ({ assert, cleanup }) => {
    const { server, paths, observe, work, builds } = await makeProvided(cleanup)
    await observe('success', ['Acme.ipa'], 'main')
    await observe('success', ['Acme.dSYM.zip'])
    assert.equal(await work(), 0)
    assert.isEmpty(server.seen)
    assert.isEmpty(await builds(paths[0]))
  })

  test('come one by one: with the first the build is there, then the others', async ({
    assert,
    cleanup,
  }) => {
    const { admin, server, paths, observe, work, builds } = await makeProvided(cleanup)
    server.answers((response, seen) => bytes(`of ${seen.url.split('/').at(-1)}`)(response, seen))
    await observe('success', ['Acme.ipa', 'notes.txt'])
    assert.equal(await work(), 2)
    const [build] = await builds(paths[0])
    assert.deepEqual([build.status, build.artifactFileName], ['active', 'Acme.ipa'])
    const at = `${paths[0]}/build/${build.id}/additionalFiles/notes.txt`
    assert.equal((await admin.get(at)).text, 'of notes.txt')
  })

  test('are asked for again where the provider breaks off, and stored whole', async ({
    assert,
    cleanup,
  }) => {
    const { stage, server, paths, observe, work, builds } = await makeProvided(cleanup)
    const before = await storedKeys()
    server.answers((response) => {
      response.writeHead(200, { 'content-length': '7' })
      response.write('the', () => response.destroy())
    }, bytes('the app'))
    await observe('success')
    assert.equal(await work(), 1)
    assert.equal((await builds(paths[0]))[0].status, 'pending')
    assert.deepEqual(await storedKeys(), before)
    await stage.pass(MINUTE)
    assert.deepEqual(
      (await builds(paths[0])).map(({ status, fileSize }: any) => [status, fileSize]),
      [['active', 7]]
    )
  })

  test('that the provider has no more, or are empty, fail the builds that wait, and say so', async ({
    assert,
    cleanup,
  }) => {
    for (const gone of [bytes('no such file', 404), bytes('')]) {
      const { server, paths, observe, work, builds, told } = await makeProvided(cleanup)
      const before = await storedKeys()
      server.answers(gone)
      await observe('success')
      assert.equal(await work(), 1)
      const [build] = await builds(paths[0])
      assert.deepEqual(
        [build.status, build.metadataStatus, build.metadataFailure, build.downloadUrl],
        ['failed', 'failed', 'Acme.ipa could not be fetched from the CI system.', null]
      )
      await observe('success')
      assert.equal(await work(), 0)
      assert.deepEqual(await told(), ['buildDistro.newBuildAvailable'])
      assert.deepEqual(await storedKeys(), before)
    }
  })

  test('are of no use once their build has left its buckets, before or while they come', async ({
    assert,
    cleanup,
  }) => {
    const { stage, admin, server, paths, observe, work, builds } = await makeProvided(cleanup)
    const before = await storedKeys()
    await observe('success')
    const [build] = await builds(paths[0])
    const [entry] = await stage.entries()
    await db.from('agenda_entries').where('id', entry.id).update({ attempts: 1, doubts: 1 })
    server.answers(async (response, seen) => {
      // A person is faster than the network.
      await admin.delete(`${paths[0]}/build/${build.id}`)
      bytes('the app')(response, seen)
    })
    assert.equal(await work(), 1)
    assert.lengthOf(server.seen, 1)
    assert.deepEqual(await storedKeys(), before)
    assert.isEmpty(await builds(paths[0]))

    const other = await makeProvided(cleanup)
    await other.observe('success')
    const [unwanted] = await other.builds(other.paths[0])
    await other.admin.delete(`${other.paths[0]}/build/${unwanted.id}`)
    assert.isEmpty(await other.stage.entries())
    assert.equal(await other.stage.pass(SECOND), 0)
  })
})
