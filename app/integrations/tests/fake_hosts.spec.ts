import { Readable } from 'node:stream'
import { test } from '@japa/runner'
import type { OpenRequest } from '#outbound-client/opening'
import type { Transport } from '#provider-port/messages'
import { ledToFakes, readFakeHosts } from '../port/fake_hosts.js'

test.group('PROVIDER_HOSTS', () => {
  test('maps hosts to fakes on this machine', ({ assert }) => {
    assert.deepEqual(
      [
        ...readFakeHosts(
          ' API.github.com=http://127.0.0.1:4001, *.b.example=http://[::1]:1,',
          true
        ),
      ],
      [
        ['api.github.com', 'http://127.0.0.1:4001'],
        ['*.b.example', 'http://[::1]:1'],
      ]
    )
    assert.isEmpty([...readFakeHosts(undefined, false)])
  })

  test('is refused for anything else, with the part that is wrong', ({ assert }) => {
    for (const text of [
      'api.github.com',
      '=http://127.0.0.1:1',
      'api.github.com=http://10.0.0.1:4001',
      'api.github.com=https://127.0.0.1:4001',
      'api.github.com=http://127.0.0.1:4001/api',
      'api.github.com=file:///tmp',
    ]) {
      assert.throws(() => readFakeHosts(text, true), `"${text}" is not`)
    }
  })

  test('is refused while others reach the service', ({ assert }) => {
    const text = 'api.github.com=http://127.0.0.1:4001'
    assert.throws(() => readFakeHosts(text, false), /nobody but this machine/)
  })

  test('leads calls to the fake with their path and host, and no others', async ({ assert }) => {
    const requested: { url: string; host: string | undefined }[] = []
    const transport: Transport = {
      addressesOf: async () => [],
      async open({ url, headers }: OpenRequest) {
        requested.push({ url, host: headers.host })
        return { status: 204, headers: [], body: Readable.from([]) }
      },
    }
    const hosts = readFakeHosts(
      'api.a.example=http://127.0.0.1:1,*.b.example=http://127.0.0.1:2',
      true
    )
    const { open } = ledToFakes(transport, hosts)
    const { signal } = new AbortController()
    for (const url of [
      'https://api.a.example/x?y=1',
      'https://one.b.example/z',
      'https://b.example/z',
      'https://api.a.example.evil.example/x',
    ]) {
      await open({ url, method: 'GET', headers: {}, signal })
    }
    assert.deepEqual(requested, [
      { url: 'http://127.0.0.1:1/x?y=1', host: 'api.a.example' },
      { url: 'http://127.0.0.1:2/z', host: 'one.b.example' },
      { url: 'https://b.example/z', host: undefined },
      { url: 'https://api.a.example.evil.example/x', host: undefined },
    ])
    assert.strictEqual(ledToFakes(transport, new Map()), transport)
  })
})
