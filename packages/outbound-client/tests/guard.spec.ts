import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { test } from '@japa/runner'
import {
  isLoopback,
  isPublic,
  parseAddress,
  readBlocks,
  servesThisMachineOnly,
} from '../addresses.js'
import { OutboundGuard, OutboundRefused, type Refusal } from '../guard.js'
import { runs } from '../../../tests/support/effort.js'

/** The IANA special-purpose registries of IPv4 and IPv6, and the blocks that hide IPv4. */
const SPECIAL = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '255.255.255.255/32',
  '::1/128',
  '::/128',
  '::/96',
  '::ffff:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '100:0:0:1::/64',
  '2001::/23',
  '2001::/32',
  '2001:1::1/128',
  '2001:1::2/128',
  '2001:1::3/128',
  '2001:2::/48',
  '2001:3::/32',
  '2001:4:112::/48',
  '2001:10::/28',
  '2001:20::/28',
  '2001:30::/28',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]

/** Returns any address inside a block. */
function within(block: string) {
  const [network, bits] = ipaddr.parseCIDR(block)
  const bytes = network.toByteArray()
  return fc
    .uint8Array({ minLength: bytes.length, maxLength: bytes.length })
    .map((random) =>
      bytes.map((byte, index) => {
        const fixed = Math.min(8, Math.max(0, bits - 8 * index))
        const mask = (0xff << (8 - fixed)) & 0xff
        return (byte & mask) | (random[index] & ~mask & 0xff)
      })
    )
    .map((address) => ipaddr.fromByteArray(address))
}

function refusalOf(guard: OutboundGuard, url: string, addresses?: string[]): Refusal | null {
  try {
    const checked = guard.checkUrl(url)
    if (addresses) guard.checkAddresses(checked, addresses)
    return null
  } catch (error) {
    if (error instanceof OutboundRefused) return error.reason
    throw error
  }
}

test.group('Special-purpose addresses', () => {
  for (const block of SPECIAL) {
    test(`nothing in ${block} is public`, ({ assert }) => {
      fc.assert(
        fc.property(within(block), (address) => assert.isFalse(isPublic(address), String(address))),
        { numRuns: runs(50) }
      )
    })
  }

  test('ordinary addresses are public', ({ assert }) => {
    for (const text of ['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '2a00:1450::1']) {
      assert.isTrue(isPublic(parseAddress(text)!), text)
    }
  })
})

test.group('Outbound guard', () => {
  const strict = new OutboundGuard()
  const local = new OutboundGuard({ allowLoopback: true })
  const networked = new OutboundGuard({ allow: ['10.1.0.0/16', 'fd00::1'] })

  test('a public host is reached over https on 443 and 8443', ({ assert }) => {
    assert.isNull(refusalOf(strict, 'https://example.com/hook', ['93.184.215.14']))
    assert.isNull(refusalOf(strict, 'https://example.com:8443/', ['93.184.215.14']))
    assert.isNull(refusalOf(strict, 'https://1.1.1.1/'))
    assert.isNull(refusalOf(local, 'https://example.com/', ['93.184.215.14']))
  })

  test('a URL that is wrong by its text alone is refused', ({ assert }) => {
    const wrong: [string, Refusal][] = [
      ['nonsense', 'urlInvalid'],
      ['https://', 'urlInvalid'],
      [' https://example.com/', 'urlInvalid'],
      ['https://exa\nmple.com/', 'urlInvalid'],
      [`https://example.com/${'a'.repeat(2100)}`, 'urlTooLong'],
      ['http://example.com/', 'schemeNotAllowed'],
      ['ftp://example.com/', 'schemeNotAllowed'],
      ['file:///etc/passwd', 'schemeNotAllowed'],
      ['https://user@example.com/', 'urlHasCredentials'],
      ['https://:secret@example.com/', 'urlHasCredentials'],
      ['https://example.com:22/', 'portNotAllowed'],
      ['https://example.com:80/', 'portNotAllowed'],
      ['http://1.1.1.1/', 'schemeNotAllowed'],
      ['https://1.1.1.1:9000/', 'portNotAllowed'],
    ]
    for (const [url, reason] of wrong) assert.equal(refusalOf(strict, url), reason, url)
  })

  test('a private address is recognized in every spelling', ({ assert }) => {
    const spellings = [
      'https://127.0.0.1/',
      'https://127.1/',
      'https://2130706433/',
      'https://0x7f000001/',
      'https://0177.0.0.1/',
      'https://127.0.0.1./',
      'https://①②⑦.0.0.1/',
      'https://169.254.169.254/latest/meta-data',
      'https://[::1]/',
      'https://[::]/',
      'https://[::ffff:10.0.0.1]/',
      'https://[::ffff:8.8.8.8]/',
      'https://[64:ff9b::a00:1]/',
      'https://[2002:a00:1::]/',
      'https://[2001:0:a00:1::]/',
      'https://[fe80::1]/',
    ]
    for (const url of spellings) assert.equal(refusalOf(strict, url), 'addressNotAllowed', url)
  })

  test('one forbidden address among public ones refuses all', ({ assert }) => {
    const results = ['93.184.215.14', '10.0.0.1', '2606:4700::1111']
    assert.equal(refusalOf(strict, 'https://example.com/', results), 'addressNotAllowed')
    assert.equal(refusalOf(strict, 'https://example.com/', ['not an address']), 'addressNotAllowed')
    assert.equal(refusalOf(strict, 'https://example.com/', ['fe80::1%eth0']), 'addressNotAllowed')
  })

  test('loopback is reached over http on any port only by a service on loopback', ({ assert }) => {
    const url = 'http://localhost:4567/'
    assert.isNull(refusalOf(local, url, ['127.0.0.1', '::1']))
    assert.isNull(refusalOf(local, 'http://[::1]:80/'))
    assert.equal(refusalOf(strict, url), 'schemeNotAllowed')
    assert.equal(refusalOf(local, 'http://10.0.0.1/'), 'addressNotAllowed')
    assert.equal(refusalOf(local, url, ['127.0.0.1', '10.0.0.1']), 'addressNotAllowed')
  })

  test('http to a public host stays forbidden, even beside a trusted answer', ({ assert }) => {
    assert.equal(refusalOf(local, 'http://example.com/', ['93.184.215.14']), 'schemeNotAllowed')
    assert.equal(
      refusalOf(local, 'http://example.com/', ['127.0.0.1', '93.184.215.14']),
      'schemeNotAllowed'
    )
    assert.equal(refusalOf(local, 'https://example.com:99/', ['1.1.1.1']), 'portNotAllowed')
  })

  test('listed networks are reached, their neighbours are not', ({ assert }) => {
    assert.isNull(refusalOf(networked, 'http://10.1.2.3:8080/'))
    assert.isNull(refusalOf(networked, 'https://[fd00::1]/'))
    assert.equal(refusalOf(networked, 'http://10.2.0.1/'), 'addressNotAllowed')
    assert.equal(refusalOf(networked, 'https://[fd00::2]/'), 'addressNotAllowed')
    assert.equal(refusalOf(networked, 'http://127.0.0.1/'), 'addressNotAllowed')
    assert.equal(refusalOf(networked, 'http://[::ffff:10.1.2.3]/'), 'addressNotAllowed')
  })

  test('a list with an entry that is no network is refused, naming the entry', ({ assert }) => {
    assert.deepEqual(readBlocks(' 10.0.0.0/8, ,fd00::/8'), ['10.0.0.0/8', 'fd00::/8'])
    assert.deepEqual(readBlocks(undefined), [])
    assert.throws(() => new OutboundGuard({ allow: ['10.0.0.0/33'] }), /"10\.0\.0\.0\/33"/)
    assert.throws(() => new OutboundGuard({ allow: ['intranet'] }), /"intranet"/)
  })
})

test.group('Who can reach the service', () => {
  test('loopback by name and address', ({ assert }) => {
    const loopback = [
      '127.0.0.1',
      '127.8.9.1',
      '::1',
      '[::1]',
      'localhost',
      'LOCALHOST',
      'a.localhost',
    ]
    assert.deepEqual(loopback.filter(isLoopback), loopback)
    const other = [
      '0.0.0.0',
      '::',
      '10.0.0.1',
      'example.com',
      'localhost.example.com',
      'notlocalhost',
    ]
    assert.deepEqual(other.filter(isLoopback), [])
  })

  for (const [expected, host, publicUrl, hasProxy] of [
    [true, '127.0.0.1', undefined, false],
    [true, 'localhost', '', false],
    [true, '::1', 'http://localhost:3333', false],
    [true, '127.0.0.1', 'http://[::1]:3333/', false],
    [false, '127.0.0.1', 'https://tarmac.example.com', false],
    [false, '127.0.0.1', 'http://10.0.0.5:3333', false],
    [false, '127.0.0.1', 'no address', false],
    [false, '127.0.0.1', undefined, true],
    [false, '0.0.0.0', undefined, false],
    [false, '0.0.0.0', 'http://localhost:3333', false],
  ] as const) {
    const who = expected ? 'only this machine' : 'others too'
    const proxy = hasProxy ? ', a proxy in front' : ''
    test(`${host} as ${publicUrl ?? 'nothing else'}${proxy}: ${who}`, ({ assert }) => {
      assert.equal(servesThisMachineOnly({ host, publicUrl, hasProxy }), expected)
    })
  }
})
