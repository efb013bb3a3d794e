import { test } from '@japa/runner'
import fc from 'fast-check'
import { readVersionApart } from '../version_files/read_version_apart.js'
import { readVersionFile, withVersion } from '../version_files/version_file.js'
import { VersionFileFault } from '../version_files/occurrence.js'
import { HERE, SAMPLES } from '#releases/tests/helpers/version_samples'
import { runs } from '#tests/support/effort'

const part = fc.integer({ min: 0, max: 99_999 })
const version = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'))
/** Higher than the other versions in the samples. */
const current = fc.tuple(fc.integer({ min: 1, max: 9999 }), part, part).map((all) => all.join('.'))

const fault = (path: string, text: string) => {
  try {
    readVersionFile(path, text)
    return null
  } catch (error) {
    if (error instanceof VersionFileFault) return error.code
    throw error
  }
}

test.group('Files that hold the version', () => {
  test('only the version is written, whatever else is in the file', ({ assert }) => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SAMPLES),
        current,
        version,
        fc.record({ isWindows: fc.boolean(), hasMark: fc.boolean() }),
        ([path, sample], before, after, { isWindows, hasMark }) => {
          const lines = isWindows ? sample.replaceAll('\n', '\r\n') : sample
          const template = hasMark ? `\ufeff${lines}` : lines
          const text = template.replaceAll(HERE, before)
          const file = readVersionFile(path, text)
          assert.equal(file.version, before, path)
          assert.equal(withVersion(text, file, after), template.replaceAll(HERE, after), path)
        }
      ),
      { numRuns: runs(100) }
    )
  })

  test('a malformed file is reported, and never written', ({ assert }) => {
    const cases: readonly (readonly [string, string, string])[] = [
      ['version.txt', '1.0.0', 'unknown_file'],
      ['Info.plist', 'bplist00\u0001', 'not_what_it_says'],
      ['Info.plist', '', 'not_what_it_says'],
      ['Info.plist', '<plist><dict><key>A</key><string>1</dict></plist>', 'not_what_it_says'],
      ['Info.plist', '<plist><dict><!-- </dict></plist>', 'not_what_it_says'],
      ['Info.plist', '<plist><dict/></plist>', 'no_version'],
      [
        'Info.plist',
        '<plist><dict><key>CFBundleShortVersionString</key><string>$(MARKETING_VERSION)</string></dict></plist>',
        'no_plain_version',
      ],
      [
        'Info.plist',
        '<plist><dict><key>CFBundleShortVersionString</key><string>1</string><key>CFBundleShortVersionString</key><string>2</string></dict></plist>',
        'several_versions',
      ],
      ['a.pbxproj', 'MARKETING_VERSION = 1.0;', 'not_what_it_says'],
      ['a.pbxproj', '{ x = "', 'not_what_it_says'],
      ['a.pbxproj', '{ }', 'no_version'],
      ['a.pbxproj', '{ MARKETING_VERSION = "$(X)"; }', 'no_plain_version'],
      ['a.xcconfig', 'OTHER = 1.0', 'no_version'],
      ['build.gradle', 'versionName rootProject.versionName', 'no_plain_version'],
      ['build.gradle', 'versionName "$major.0"', 'no_plain_version'],
      ['build.gradle', 'if (versionName == "1.0") {}', 'no_version'],
      ['build.gradle', 'x = /* ', 'not_what_it_says'],
      ['gradle.properties', 'kotlin.version=1', 'no_version'],
      ['gradle.properties', 'VERSION_NAME=1\nVERSION_NAME=2', 'several_versions'],
      ['pubspec.yaml', '- version: 1', 'not_what_it_says'],
      ['pubspec.yaml', 'a: [', 'not_what_it_says'],
      ['pubspec.yaml', 'name: x', 'no_version'],
      ['pubspec.yaml', 'version: 1.0.0\nversion: 2.0.0', 'several_versions'],
      ['pubspec.yaml', 'version: {a: 1}', 'no_plain_version'],
      ['package.json', '{"version": "1.0.0"', 'not_what_it_says'],
      ['package.json', '{"a": {"version": "1.0.0"}}', 'no_version'],
      ['package.json', '["version", "1.0.0"]', 'no_version'],
      ['package.json', '{"version": 1}', 'no_plain_version'],
      ['package.json', '{"version": "1", "version": "2"}', 'several_versions'],
      ['package.json', '{"__proto__": {"version": "1"}}', 'no_version'],
    ]
    for (const [path, text, code] of cases)
      assert.equal(fault(path, text), code, `${path}: ${text}`)
  })

  test('reading any text ends', ({ assert }) => {
    const bits = ['<', '>', '"', "'", '/*', '//', '{', '}', '\\', '\n', 'versionName', '=', '1.0']
    const text = fc
      .array(fc.oneof(fc.constantFrom(...bits), fc.string({ unit: 'binary', maxLength: 3 })), {
        maxLength: 30,
      })
      .map((all) => all.join(''))
    fc.assert(
      fc.property(fc.constantFrom(...SAMPLES), text, version, ([path], anything, after) => {
        if (fault(path, anything) !== null) return
        const file = readVersionFile(path, anything)
        const gone = file.occurrences.reduce((sum, { start, end }) => sum + end - start, 0)
        const written = withVersion(anything, file, after)
        const added = file.occurrences.length * after.length
        assert.equal(written.length, anything.length - gone + added)
      }),
      { numRuns: runs(100) }
    )
  })

  test('the largest files are read in a separate thread', async ({ assert }) => {
    const size = 5 * 1024 * 1024
    const large: readonly (readonly [string, string, string])[] = [
      ['a.xcconfig', '\n'.repeat(size), 'sets no MARKETING_VERSION'],
      ['pubspec.yaml', 'a: 1\n'.repeat(size / 5), 'is no pubspec: it is too long'],
      ['pubspec.yaml', '['.repeat(100_000), 'is no '],
      ['app.json', `[${'[],'.repeat(size / 3)}1]`, 'sets no version'],
      ['build.gradle', 'a '.repeat(size / 2), 'sets no versionName'],
    ]
    for (const [path, text, message] of large) {
      const refused = await readVersionApart(path, text).catch((error: unknown) => error)
      assert.instanceOf(refused, VersionFileFault, path)
      assert.include((refused as Error).message, message)
    }
    const small = await readVersionApart('gradle.properties', 'version=1.2.3')
    assert.equal(small.version, '1.2.3')
  })
})
