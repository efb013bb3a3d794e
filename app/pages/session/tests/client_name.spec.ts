import { test } from '@japa/runner'
import { clientName } from '../client_name.js'

const KHTML = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.group('The name of a browser', () => {
  test('is what its owner calls it', ({ assert }) => {
    for (const [userAgent, name] of [
      [
        `Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`,
        'Firefox on Linux',
      ],
      [
        `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/140.0 Safari/537.36`,
        'Chrome on Windows',
      ],
      [
        `Mozilla/5.0 (Windows NT 10.0) ${KHTML} Chrome/140.0 Safari/537.36 Edg/140.0`,
        'Edge on Windows',
      ],
      [
        `Mozilla/5.0 (Linux; Android 16; Pixel 9) ${KHTML} Chrome/140.0 Mobile Safari/537.36`,
        'Chrome on Android',
      ],
      [
        'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
        'Safari on iPhone',
      ],
      [
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
        'Safari on macOS',
      ],
      ['curl/8.14.1', 'curl/8.14.1'],
      ['', ''],
      [undefined, ''],
      ['x'.repeat(1000), 'x'.repeat(300)],
    ] as const) {
      assert.equal(clientName(userAgent), name)
    }
  })
})
