import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { unitOfWork } from '#foundation/core/services'
import { IntegrationsRotateKeys } from '#integrations/commands/integrations_rotate_keys'
import { ProviderCheck } from '#integrations/commands/provider_check'
import { ProviderConnect } from '#integrations/commands/provider_connect'
import { ProviderDisconnect } from '#integrations/commands/provider_disconnect'
import { ProviderList } from '#integrations/commands/provider_list'
import { ProviderPlugins } from '#integrations/commands/provider_plugins'
import { ProviderRotate } from '#integrations/commands/provider_rotate'
import { openCredentials } from '#integrations/connections/credentials'
import { runCommand } from '#tests/support/console'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { runAceWith } from '#tests/support/processes'
import { makeWorld, type World } from '#tests/support/world'

const orgOf = ({ organizationId }: World) => `--org=${organizationId}`

async function credentialsOf(world: World, id: string) {
  const secrets = await app.container.make('integrations.secrets')
  return (await openCredentials(unitOfWork.readScope(world.principal), secrets, id)).credentials
}

async function fileOf(text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'tarmac-')), 'credentials.json')
  await writeFile(file, text)
  return file
}

test.group('provider:connect', () => {
  test('stores no address that git cannot use, whether it is tried or not', async ({ assert }) => {
    const world = await makeWorld()
    for (const baseUrl of [
      'ext::sh -c id',
      'file:///srv/git',
      '--upload-pack=id',
      '/srv/git/../../etc',
      'https://git.acme.example/../x',
      'ssh://git@acme.example/./x',
      'git://acme.example/x',
      'https://user:secret@git.acme.example/x',
    ]) {
      const isForm = !baseUrl.includes('secret')
      for (const tried of isForm ? ['--check', '--no-check'] : ['--check']) {
        const argv = ['git', orgOf(world), `--set=baseUrl=${baseUrl}`, tried]
        const { code, stdout, stderr } = await runCommand(ProviderConnect, argv)
        assert.deepEqual([code, stdout], [1, ''], baseUrl)
        assert.include(stderr, 'baseUrl')
        assert.notInclude(stderr, 'secret')
      }
    }
    const { document } = await runCommand(ProviderList, [orgOf(world)])
    assert.deepEqual(document, [])
  })

  test('says which permissions the credentials lack', async ({ assert }) => {
    const world = await makeWorld()
    const argv = ['memory', orgOf(world), '--credential=token=read-only']
    const { code, document } = await runCommand(ProviderConnect, argv)
    assert.deepEqual([code, document.missingPermissions], [0, ['write']])
  })

  test('answers id, alias and plugin, and keeps settings by their types', async ({ assert }) => {
    const world = await makeWorld()
    const { code, document } = await runCommand(ProviderConnect, [
      'MEM',
      orgOf(world),
      '--alias= Team chat ',
      '--set=region=eu',
      '--set=retries=3',
      '--set=strict=true',
      '--set=teams=ios, android',
      '--credential=token=good=token',
    ])
    assert.equal(code, 0)
    const { id, ...rest } = document
    assert.deepEqual(rest, { alias: 'Team chat', plugin: 'memory' })
    const { document: list } = await runCommand(ProviderList, [orgOf(world)])
    assert.containsSubset(list, [
      {
        id,
        status: 'connected',
        account: 'account in eu',
        settings: { region: 'eu', retries: 3, strict: true, teams: ['ios', 'android'] },
      },
    ])
    assert.deepEqual(await credentialsOf(world, id), { token: 'good=token' })
    assert.notInclude(JSON.stringify(list), 'good=token')
  })

  test('takes credentials of a file, overridden by those of the options', async ({ assert }) => {
    const world = await makeWorld()
    const file = await fileOf('{"token": "good-one", "account": "a"}')
    const { document } = await runCommand(ProviderConnect, [
      'memory',
      orgOf(world),
      `--credentials-file=${file}`,
      '--credential=account=b',
    ])
    assert.isNull(document.alias)
    assert.deepEqual(await credentialsOf(world, document.id), { token: 'good-one', account: 'b' })
  })

  test('connects a provider that cannot be tried now; --no-check tries nothing', async ({
    assert,
  }) => {
    const world = await makeWorld()
    for (const options of [
      ['--credential=token=down'],
      ['--credential=token=bad!', '--no-check'],
    ]) {
      const { code } = await runCommand(ProviderConnect, ['memory', orgOf(world), ...options])
      assert.equal(code, 0)
    }
    const { document } = await runCommand(ProviderList, [orgOf(world)])
    assert.deepEqual(
      document.map(({ status }: any) => status),
      ['unverified', 'unverified']
    )
  })

  test('says in one line what is wrong, repeats no secret and stores nothing', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const broken = await fileOf('{"token": canary}')
    for (const [options, message] of [
      [['memry', '--credential=token=canary'], 'There is no plugin "memry". Did you mean memory?'],
      [['memory'], 'token is required'],
      [['memory', '--credential=token'], '--credential takes key=value.'],
      [['memory', '--credential=token=canary', '--credential=token=canary2'], 'gives token twice'],
      [['memory', '--credential=tokn=canary'], 'tokn is not known'],
      [['memory', '--credential=token=canary', '--set=region=mars'], 'region has to be one of eu'],
      [['memory', '--credential=token=canary', '--set=retries=x'], 'retries has to be a whole'],
      [['memory', `--credentials-file=${broken}`], 'has to hold one JSON object'],
      [['memory', '--credentials-file=/no/such/file'], 'cannot be read (ENOENT)'],
      [['memory', '--credential=token=bad-canary'], 'The token is not known (unauthorized).'],
    ] as const) {
      const { code, stdout, stderr } = await runCommand(ProviderConnect, [...options, orgOf(world)])
      assert.deepEqual([code, stdout], [1, ''], stderr)
      assert.include(stderr, message)
      assert.notInclude(stderr, 'canary')
    }
    assert.lengthOf(await db.from('connections').where('organization_id', world.organizationId), 0)
  })
})

test.group('provider commands', (group) => {
  group.each.teardown(async () => void (await loadTestPlugins()))

  async function connected(world: World, token = 'good-one') {
    const options = [`--credential=token=${token}`, '--alias=Chat', '--no-check']
    const { document } = await runCommand(ProviderConnect, ['memory', orgOf(world), ...options])
    return document.id as string
  }

  test('provider:check reports whether a connection works, and fails when it does not', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const id = await connected(world, 'read-only')
    const lacking = await runCommand(ProviderCheck, ['chat', orgOf(world)])
    assert.equal(lacking.code, 1)
    assert.deepEqual(lacking.document, {
      id,
      status: 'connected',
      ok: true,
      account: 'account in nowhere',
      endsAt: null,
      missingPermissions: ['write'],
    })
    const third = await makeWorld()
    await connected(third)
    assert.equal((await runCommand(ProviderCheck, ['chat', orgOf(third)])).code, 0)
    const other = await makeWorld()
    await connected(other, 'bad-one')
    const refused = await runCommand(ProviderCheck, ['Chat', orgOf(other)])
    assert.equal(refused.code, 1)
    assert.containsSubset(refused.document, { status: 'needs_reauth', code: 'unauthorized' })
    const foreign = await runCommand(ProviderCheck, [id, orgOf(other)])
    assert.deepEqual([foreign.code, foreign.stdout], [1, ''])
    assert.include(foreign.stderr, 'There is no connection')
  })

  test('provider:rotate tries the new credentials and keeps the old ones when they fail', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const id = await connected(world)
    const rotate = (token: string) =>
      runCommand(ProviderRotate, ['chat', orgOf(world), `--credential=token=${token}`])
    const { document } = await rotate('good-two')
    assert.deepEqual(document, {
      id,
      alias: 'Chat',
      plugin: 'memory',
      version: 2,
      status: 'connected',
    })
    const refused = await rotate('bad-three')
    assert.equal(refused.code, 1)
    assert.include(refused.stderr, 'unauthorized')
    assert.deepEqual(await credentialsOf(world, id), { token: 'good-two' })
  })

  test('provider:disconnect forgets the connection', async ({ assert }) => {
    const world = await makeWorld()
    const id = await connected(world)
    const gone = await runCommand(ProviderDisconnect, [id, orgOf(world)])
    assert.deepEqual(gone.document, { id, removed: true })
    assert.deepEqual((await runCommand(ProviderList, [orgOf(world)])).document, [])
  })

  test('a connection whose plugin does not run is listed, and cannot be tried', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const id = await connected(world)
    await loadTestPlugins({ memory: () => Promise.reject(new Error('gone')) })
    const { document } = await runCommand(ProviderList, [orgOf(world)])
    assert.containsSubset(document, [{ id, types: [] }])
    const tried = await runCommand(ProviderCheck, [id, orgOf(world)])
    assert.include(tried.stderr, 'The plugin memory does not run.')
    const plugins = await runCommand(ProviderPlugins, [])
    assert.deepEqual(plugins.document.disabled, [
      { name: 'memory', problems: ['It cannot be imported: gone'] },
    ])
  })

  test('provider:plugins lists the kinds and credentials of each', async ({ assert }) => {
    const { document } = await runCommand(ProviderPlugins, [])
    assert.deepEqual(document.disabled, [])
    assert.containsSubset(document.plugins, [
      { id: 'memory', types: ['slack', 'pagerduty'], credentials: ['token', 'account'] },
    ])
  })

  test('integrations:rotate-keys encrypts every credential again, and names the unreadable ones', async ({
    assert,
  }) => {
    const rows = () => db.from('connection_secrets').whereNotNull('ciphertext')
    await db.from('connection_secrets').delete()
    const [one, other] = [await makeWorld(), await makeWorld()]
    const id = await connected(one)
    const lost = await connected(other)
    const before = await rows().where('connection_id', id).firstOrFail()
    await rows().where('connection_id', lost).update({ ciphertext: 'credentials.nothing' })
    const { code, document } = await runCommand(IntegrationsRotateKeys, [])
    assert.equal(code, 1)
    assert.deepEqual(document, { resealed: 1, unreadable: [lost] })
    const after = await rows().where('connection_id', id).firstOrFail()
    assert.notEqual(after.ciphertext, before.ciphertext)
    assert.equal(after.fingerprint, before.fingerprint)
    assert.deepEqual(await credentialsOf(one, id), { token: 'good-one' })
  })
})

test.group('CREDENTIALS_KEY', () => {
  test('a key that is too short ends the start with a sentence', async ({ assert }) => {
    const { code, stdout, stderr } = await runAceWith({ CREDENTIALS_KEY: 'short' }, [
      'provider:plugins',
      '--json',
    ])
    assert.notEqual(code, 0)
    assert.include(stdout + stderr, 'Each key of CREDENTIALS_KEY has to have 32 characters')
  })
})
