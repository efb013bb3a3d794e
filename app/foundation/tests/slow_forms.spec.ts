import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from '@japa/runner'
import { readForm } from '../api/http/read_form.js'
import { fileHead } from '#tests/support/form'
import { MIB, openRequest } from './helpers/upload_service.js'

test.group('A form', () => {
  test('that stops arriving is given up, after the consumer of its file has ended', async ({
    assert,
    cleanup,
  }) => {
    let read: Promise<unknown> = Promise.resolve()
    let taken = ''
    const server = createServer((request) => {
      const take = async (file: Readable) => {
        try {
          for await (const chunk of file) taken += chunk
        } finally {
          await pause(20)
          taken += ', ended'
        }
      }
      read = readForm(request, { maxBytes: MIB, take, idleMs: 50 })
    }).listen(0, '127.0.0.1')
    cleanup(() => {
      server.closeAllConnections()
      server.close()
    })
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { request } = openRequest(`http://127.0.0.1:${port}`, 'none')
    const requested = once(server, 'request')
    request.write(`${fileHead({})}half`)
    await requested
    await assert.rejects(() => read as Promise<void>, 'The body stopped arriving.')
    assert.equal(taken, 'half, ended')
  })
})

test.group('A form that drips', () => {
  test('is given up like one that stops', async ({ assert, cleanup }) => {
    const { promise: read, resolve } = Promise.withResolvers<unknown>()
    const server = createServer((request) => {
      const take = async (file: Readable) => {
        await file.toArray()
      }
      resolve(readForm(request, { maxBytes: MIB, take, idleMs: 100 }))
    }).listen(0, '127.0.0.1')
    cleanup(() => {
      server.closeAllConnections()
      server.close()
    })
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { request } = openRequest(`http://127.0.0.1:${port}`, 'none')
    request.write(fileHead({}))
    const drip = setInterval(() => request.write('x'), 5)
    cleanup(() => clearInterval(drip))
    await assert.rejects(() => read as Promise<void>, 'The body stopped arriving.')
  })
})
