import { test } from '@japa/runner'
import { compileGlob, globProblem } from '../glob.js'

test.group('Globs', () => {
  test('a star stays within a name', ({ assert }) => {
    const glob = compileGlob('*.ipa')
    assert.isTrue(glob.matches('Acme.ipa'))
    assert.isTrue(glob.matches('.ipa'))
    assert.isTrue(glob.matches('build/Acme.ipa'))
    assert.isFalse(glob.matches('Acme.ipa.zip'))
    assert.isFalse(glob.matches('Acme.IPA'))
    assert.isFalse(compileGlob('build/*.ipa').matches('build/x/Acme.ipa'))
  })

  test('two stars cross folders, and stand for none too', ({ assert }) => {
    const glob = compileGlob('out/**/*.apk')
    assert.isTrue(glob.matches('out/a.apk'))
    assert.isTrue(glob.matches('out/x/y/a.apk'))
    assert.isFalse(glob.matches('in/x/a.apk'))
    assert.isTrue(compileGlob('out/**').matches('out/x/y'))
  })

  test('a question mark is one character, everything else is itself', ({ assert }) => {
    assert.isTrue(compileGlob('app-?.apk').matches('app-1.apk'))
    assert.isTrue(compileGlob('app-?.apk').matches('app-😀.apk'))
    assert.isFalse(compileGlob('app-?.apk').matches('app-12.apk'))
    assert.isTrue(compileGlob('a[1]{2}(3)+.apk').matches('a[1]{2}(3)+.apk'))
  })

  test('many stars do not make it slow', ({ assert }) => {
    assert.isFalse(compileGlob('*a'.repeat(128)).matches('a'.repeat(127)))
    assert.isFalse(compileGlob('*a'.repeat(127) + 'b').matches('a'.repeat(4000)))
  })

  test('empty and overlong patterns are refused in words', ({ assert }) => {
    assert.isString(globProblem(' '))
    assert.isString(globProblem('*'.repeat(257)))
    assert.isNull(globProblem('*.ipa'))
    assert.throws(() => compileGlob(''))
  })
})
