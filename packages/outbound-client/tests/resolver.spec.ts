import dgram from 'node:dgram'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from '@japa/runner'
import { OutboundClient } from '../client.js'
import { NameResolver, readHosts, readSearch } from '../resolver.js'

const TYPES = { A: 1, AAAA: 28 }

type Records = Record<string, { A?: string; AAAA?: string } | 'absent' | 'silent' | 'onlyA'>

/** Returns the name in a question, and the offset of its type. */
function questionOf(message: Buffer) {
  const labels: string[] = []
  let at = 12
  while (message[at] !== 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + message[at]))
    at += message[at] + 1
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

/** Answers from records; other names do not exist. */
function answerTo(message: Buffer, records: Records): Buffer | null {
  const { name, type, end } = questionOf(message)
  const record = records[name] ?? 'absent'
  if (record === 'silent') return null
  if (record === 'onlyA' && type === TYPES.AAAA) return null
  const found = record === 'onlyA' ? { A: '127.0.0.1' } : record === 'absent' ? {} : record
  const address = type === TYPES.A ? found.A : found.AAAA
  const bytes =
    type === TYPES.A
      ? Buffer.from((address ?? '0.0.0.0').split('.').map(Number))
      : Buffer.concat([Buffer.alloc(15), Buffer.from([1])])
  const result = Buffer.alloc(12)
  result.set([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 1, 0, bytes.length])
  const code = record === 'absent' ? 0x83 : 0x80
  const head = Buffer.from([
    message[0],
    message[1],
    0x81,
    code,
    0,
    1,
    0,
    address ? 1 : 0,
    0,
    0,
    0,
    0,
  ])
  return Buffer.concat([head, message.subarray(12, end), ...(address ? [result, bytes] : [])])
}

test.group('Names', (group) => {
  const folder = mkdtempSync(join(tmpdir(), 'tarmac-names-'))
  group.teardown(() => rmSync(folder, { recursive: true, force: true }))

  const fileOf = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  const none = join(folder, 'none')

  /** Starts a resolver that asks a DNS server on loopback. */
  async function serve(records: Records, files: { hosts?: string; system?: string } = {}) {
    const requested: string[] = []
    const server = dgram.createSocket('udp4')
    server.on('message', (message, { port, address }) => {
      requested.push(questionOf(message).name)
      const result = answerTo(message, records)
      if (result) server.send(result, port, address)
    })
    await new Promise<void>((done) => server.bind(0, '127.0.0.1', done))
    const { resolve } = new NameResolver({
      servers: [`127.0.0.1:${server.address().port}`],
      hostsFile: files.hosts ?? none,
      systemFile: files.system ?? none,
    })
    return {
      resolve,
      asked: requested,
      stop: () => new Promise<void>((done) => server.close(done)),
    }
  }

  test('forty that are never answered delay no other, and fail on their own', async ({
    assert,
    cleanup,
  }) => {
    const silent = Array.from({ length: 40 }, (_, index) => `silent${index}.test`)
    const { resolve, stop } = await serve({
      'good.test': { A: '127.0.0.1' },
      ...Object.fromEntries(silent.map((name) => [name, 'silent' as const])),
    })
    const web = http.createServer((_request, response) => response.end('ok'))
    await new Promise<void>((done) => web.listen(0, '127.0.0.1', done))
    cleanup(async () => {
      await stop()
      web.closeAllConnections()
      await new Promise((done) => web.close(done))
    })
    const { port } = web.address() as AddressInfo
    const client = new OutboundClient({ allowLoopback: true, resolve })
    let failed = 0
    const hanging = silent.map(async (name) => {
      const result = await client.request({ url: `http://${name}/` })
      failed += 1
      return result
    })
    await sleep(50)
    for (let count = 0; count < 8; count++) {
      const { status } = await client.request({ url: `http://good.test:${port}/` })
      assert.equal(status, 200)
    }
    assert.equal(failed, 0, 'the others did not hang')
    for (const { errorClass } of await Promise.all(hanging)) assert.equal(errorClass, 'dns')
  }).timeout(15_000)

  test('are found in both address families, and one family is enough', async ({
    assert,
    cleanup,
  }) => {
    const { resolve, stop } = await serve({
      'both.test': { A: '127.0.0.7', AAAA: '::1' },
      'four.test': { A: '127.0.0.8' },
      'half.test': 'onlyA',
    })
    cleanup(stop)
    assert.deepEqual(await resolve('both.test'), ['127.0.0.7', '::1'])
    assert.deepEqual(await resolve('FOUR.test.'), ['127.0.0.8'])
    assert.deepEqual(await resolve('half.test'), ['127.0.0.1'])
    await assert.rejects(() => resolve('none.test'), /ENOTFOUND/)
    await assert.rejects(() => resolve('mute.test.'), /ENOTFOUND/)
  }).timeout(15_000)

  test('of the hosts file and of the machine itself need no query', async ({ assert, cleanup }) => {
    const hosts = fileOf('hosts', '127.0.0.1 localhost\n10.1.2.3 Receiver receiver.lan # ours\n')
    const { resolve, asked: requested, stop } = await serve({}, { hosts })
    cleanup(stop)
    assert.deepEqual(await resolve('receiver'), ['10.1.2.3'])
    assert.deepEqual(await resolve('receiver.LAN.'), ['10.1.2.3'])
    assert.deepEqual(await resolve('localhost'), ['127.0.0.1'])
    assert.deepEqual(await resolve('app.localhost'), ['127.0.0.1', '::1'])
    fileOf('hosts', '10.9.9.9 receiver\n10.9.9.10 receiver\n')
    assert.deepEqual(await resolve('receiver'), ['10.9.9.9', '10.9.9.10'])
    assert.deepEqual(requested, [])
  })

  test('that do not exist as they are, are looked up in the search domains of the machine', async ({
    assert,
    cleanup,
  }) => {
    const system = fileOf('resolv.conf', 'search one.test two.test\n')
    const { resolve, stop } = await serve({ 'receiver.two.test': { A: '10.0.0.2' } }, { system })
    cleanup(stop)
    assert.deepEqual(await resolve('receiver'), ['10.0.0.2'])
    await assert.rejects(() => resolve('receiver.'), /ENOTFOUND/)
    await assert.rejects(() => resolve('other'), /ENOTFOUND/)
  })

  test('the system files are read as the system reads them', ({ assert }) => {
    const hosts = readHosts(
      '::1 ip6 localhost\n\n# 1.1.1.1 no\nfe80::1%lo0 localhost\n127.0.0.1 LOCALHOST'
    )
    assert.deepEqual(
      [...hosts],
      [
        ['ip6', ['::1']],
        ['localhost', ['::1', '127.0.0.1']],
      ]
    )
    assert.deepEqual(readSearch('domain a.test\nsearch b.test. c.test . # d\nnameserver ::1'), [
      'b.test',
      'c.test',
    ])
    assert.deepEqual(readSearch('nameserver ::1'), [])
  })
})
