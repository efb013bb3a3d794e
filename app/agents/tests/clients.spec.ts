import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { test } from '@japa/runner'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { makeTrain } from '#releases/tests/helpers/release_world'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** Lets the SDK's own client work over a transport. It checks what tools answer by their schemas. */
async function connected<Result>(
  transport: Transport,
  work: (client: Client) => Promise<Result>,
  options: ConstructorParameters<typeof Client>[1] = {}
): Promise<Result> {
  const client = new Client({ name: 'Pilot bot', version: '3.0.0' }, options)
  await client.connect(transport)
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

/** Drafts a release, sets it up and ends it, as an assistant would; answers who did it. */
async function drive(client: Client, app: string, version: string) {
  await client.listTools()
  const call = async (name: string, args: Record<string, unknown>) => {
    const answer = await client.callTool({ name, arguments: { appId: app, ...args } })
    if (answer.isError) throw new Error(JSON.stringify(answer.content))
    return answer.structuredContent as any
  }
  const releaseId = `${app}:${version}`
  await call('manage_release', { action: 'create', body: { version } })
  await call('manage_release', { action: 'kick_off', releaseId })
  const body = { title: 'Try the login' }
  const { result: item } = await call('define_items', { action: 'create_regression_item', body })
  const set = { items: [{ id: item.id, status: 'passed' }], releaseId }
  await call('set_items', { action: 'set_many', body: set })
  const why = await call('why_not_moving', { action: 'ask', releaseId })
  const shown = await call('manage_release', { action: 'complete', releaseId })
  const { token } = shown.plan
  await call('manage_release', { action: 'complete', releaseId, plan: token })
  const ended = await call('find_releases', { action: 'get', releaseId, fields: ['status'] })
  const told = await call('read_timeline', { action: 'release', releaseId, fields: ['actor.name'] })
  return { why, ended, names: told.result.data.map(({ actor }: any) => actor.name) }
}

test.group('A client of the protocol', () => {
  for (const mode of ['legacy', 'auto'] as const) {
    test(`drives a release over HTTP (${mode})`, async ({ assert }) => {
      const { app, world } = await makeTrain()
      const url = new URL(`http://${process.env.HOST}:${process.env.PORT}/mcp`)
      const transport = new StreamableHTTPClientTransport(url, {
        requestInit: { headers: { authorization: `Bearer ${world.adminKey}` } },
      })
      const options = { versionNegotiation: { mode } }
      const { ended, names } = await connected(
        transport,
        (client) => drive(client, app, '1.0.0'),
        options
      )
      assert.equal(ended.result.status, 'completed')
      for (const name of names) assert.equal(name, 'admin (agent: Pilot bot)')
    })
  }

  test('drives one on standard input and output', async ({ assert }) => {
    const { app, world } = await makeTrain()
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ['ace.js', 'mcp'],
      cwd: ROOT,
      env: { ...(process.env as Record<string, string>), TARMAC_API_KEY: world.adminKey },
    })
    const { ended, names } = await connected(transport, (client) => drive(client, app, '1.0.0'))
    assert.equal(ended.result.status, 'completed')
    for (const name of names) assert.equal(name, 'admin (agent: Pilot bot)')
  }).timeout(60_000)

  test('ends with an input that is a file', async ({ assert }) => {
    const { status, stderr } = spawnSync(process.execPath, ['ace.js', 'mcp'], {
      cwd: ROOT,
      env: { ...process.env, TARMAC_API_KEY: 'tarmac_any' },
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
      timeout: 30_000,
    })
    assert.deepEqual([status, stderr], [0, ''])
  }).timeout(60_000)
})
