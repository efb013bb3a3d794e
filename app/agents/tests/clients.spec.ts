import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { test } from '@japa/runner'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { makeTrain } from '#releases/tests/helpers/release_world'
import { readAnswer, type ToolAnswer } from './support.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** Runs work with the SDK's own client over a transport. */
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

/** Drafts a release, sets it up and ends it, as an assistant would. Returns who did it. */
async function drive(client: Client, app: string, version: string) {
  await client.listTools()
  const call = async (name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: { appId: app, ...args } })
    if (result.isError) throw new Error(JSON.stringify(result.content))
    return readAnswer(result as ToolAnswer).structuredContent
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
  const reported = await call('read_timeline', {
    action: 'release',
    releaseId,
    fields: ['actor.name'],
  })
  return { why, ended, names: reported.result.data.map(({ actor }: any) => actor.name) }
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

  const started = (key: string, input: string, ...options: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['ace.js', 'mcp', ...options], {
      cwd: ROOT,
      env: { ...process.env, TARMAC_API_KEY: key },
      input,
      encoding: 'utf8',
      timeout: 30_000,
    })
    return { status, stdout, stderr }
  }

  test('gets an answer to malformed messages, and ends with its input', async ({ assert }) => {
    const { world } = await makeTrain()
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const input = `{"jsonrpc"\n${JSON.stringify([ping, ping])}\n`
    const { status, stdout, stderr } = started(world.adminKey, input)
    assert.deepEqual([status, stderr], [0, ''])
    const errors = stdout.trim().split('\n')
    assert.deepEqual(
      errors.map((line) => (JSON.parse(line) as any).error.code),
      [-32700, -32600]
    )
  }).timeout(60_000)

  test('is refused at its start with a bad key or an unknown set of tools', async ({ assert }) => {
    const { world } = await makeTrain()
    const badKey = started('tarmac_any', '')
    assert.deepEqual([badKey.status, badKey.stdout], [1, ''])
    assert.match(badKey.stderr, /The key in TARMAC_API_KEY is refused\. The API key is not valid/)
    const badSet = started(world.adminKey, '', '--tools=default,nothing')
    assert.deepEqual([badSet.status, badSet.stdout], [1, ''])
    assert.match(badSet.stderr, /no set of tools "nothing".*default, plan, changes/)
  }).timeout(60_000)
})
