import { RecordCiBuild } from '#builds/actions/record_ci_build'
import { fetchArtifact } from '#builds/fetch_artifact'
import type { CIBuildStatus } from '#builds/vocabulary'
import { Stage } from '#foundation/jobs/tests/support/stage'
import { SystemClock } from '#foundation/core/clock'
import { replaceIntegrations } from '#integrations/store_integrations'
import { integrationEntities } from '#integrations/queries/app_integrations'
import { connect } from '#integrations/tests/support/connect'
import { ProviderServer, type Behaviour } from '#provider-port/tests/support/provider_server'
import type { PluginContext } from '#plugin-kit/context'
import { definePlugin, type Plugin } from '#plugin-kit/plugin'
import { makeApp } from '#tests/support/app_fixture'
import { CUSTOM_BUILD } from '#tests/support/custom_integrations'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { WatchedChunks } from '#tests/support/watched_chunks'

let artifacts = new WatchedChunks()

/** Returns the chunks of artifacts that the CI system sends during some work. */
export async function artifactsDuring(work: () => Promise<unknown>): Promise<WatchedChunks> {
  artifacts = new WatchedChunks()
  await work()
  return artifacts
}

/** A self-hosted CI system whose artifacts can be downloaded. */
class BoxCi {
  constructor(private readonly ctx: PluginContext) {}

  async openArtifact(runId: string, artifactId: string) {
    const params = { runId, artifactId }
    const file = await this.ctx.http.download({
      method: 'GET',
      path: '/runs/{runId}/files/{artifactId}',
      params,
    })
    return file.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          artifacts.see(chunk)
          controller.enqueue(chunk)
        },
      })
    )
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

/** Returns a behaviour that answers with a file. */
export const bytes =
  (content: string, status = 200): Behaviour =>
  (response) => {
    response.writeHead(status, { 'content-length': Buffer.byteLength(content) })
    response.end(content)
  }

/** Makes an app whose builds come from a provider, with buckets for those of release branches. */
export async function makeProvided(cleanup: (work: () => Promise<void>) => void, buckets = 1) {
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
    /** Records that a poll of the provider has seen a build. */
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
    /** Has a worker carry out due jobs. @returns the number of requests to the provider */
    async work() {
      const before = server.seen.length
      stage.clock.travelTo(new SystemClock().now())
      while ((await stage.worker.turn()) > 0);
      return server.seen.length - before
    },
    builds: async (path: string) => (await world.admin.get(`${path}/builds`)).body.data,
    reported: async () =>
      (await world.events())
        .map(({ type }) => type)
        .filter((type) => type.startsWith('buildDistro.')),
  }
}
