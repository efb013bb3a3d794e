import { request } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'
import { test } from '@japa/runner'
import { scalarScript } from '../../../../bin/copy_assets.js'

/** Sends a request without decoding its answer, unlike fetch. */
function ask(path: string, accepted: string) {
  return new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>(
    (resolve, reject) => {
      const { HOST: host, PORT: port } = process.env
      request({ host, port, path, headers: { 'accept-encoding': accepted } }, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () => {
          const { statusCode, headers } = answer
          resolve({ status: statusCode!, headers, bytes: Buffer.concat(parts) })
        })
      })
        .on('error', reject)
        .end()
    }
  )
}

test.group('The reference of the API', () => {
  test('is open to anybody, allows inline styles but no inline scripts, and loads nothing from other hosts', async ({
    assert,
  }) => {
    const { status, headers, bytes } = await ask('/docs', 'identity')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    const policy = String(headers['content-security-policy'])
    for (const rule of ["script-src 'self'", "connect-src 'self'", "style-src 'unsafe-inline'"]) {
      assert.include(policy.split('; '), rule)
    }
    assert.isUndefined(headers['set-cookie'])
    const text = bytes.toString()
    assert.match(text, /<noscript>\s*<p><a href="\/docs\/plain">/)
    assert.notMatch(text, /https?:/)
    assert.match(text, /<link rel="icon" href="[^"]+mark[^"]*\.svg"/)
  })

  test('serves the script of the package, compressed and uncompressed', async ({ assert }) => {
    const { bytes } = await ask('/docs', 'identity')
    const [, path] = /<script src="([^"]+)">/.exec(bytes.toString())!
    const whole = Buffer.from(scalarScript())
    assert.include(whole.toString(), 'placeholder:`tarmac_…`')
    const [packed, plain] = await Promise.all(['br, gzip', 'identity'].map((how) => ask(path, how)))
    assert.equal(packed.headers['content-encoding'], 'br')
    assert.isBelow(packed.bytes.length, 1_100_000)
    assert.isTrue(brotliDecompressSync(packed.bytes).equals(whole))
    assert.isUndefined(plain.headers['content-encoding'])
    assert.isTrue(plain.bytes.equals(whole))
    for (const { headers } of [packed, plain]) {
      assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
      assert.match(String(headers['cache-control']), /immutable/)
      assert.equal(headers.vary, 'Accept-Encoding')
    }
  })
})
