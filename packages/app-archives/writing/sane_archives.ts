import { build, buildBinary } from 'plist'
import type { ZipEntry } from './write_zip.js'
import { writeZip } from './write_zip.js'
import { writeBinaryXml, writeProtobufXml, type XmlElement } from './write_manifest.js'
import { plainPicture, writeApplePng, writePng } from './write_png.js'
import { writeProtobufTable, writeResourceTable, type ResourceValue } from './write_resources.js'
import { writeCertificate, writeCms, writeSigningBlock } from './write_signatures.js'

export const LABEL = 0x7f030000
export const ICON = 0x7f020001

export const ICON_FILE = 'res/mipmap-xxhdpi/ic_launcher.png'

export const INFO = {
  CFBundleIdentifier: 'com.acme.app',
  CFBundleDisplayName: 'Acme',
  CFBundleShortVersionString: '4.2.0',
  CFBundleVersion: '4711',
  CFBundleExecutable: 'Acme',
  CFBundleSupportedPlatforms: ['iPhoneOS'],
  MinimumOSVersion: '16.0',
  DTPlatformVersion: '18.2',
  NSCameraUsageDescription: 'To scan codes',
  CFBundleIcons: { CFBundlePrimaryIcon: { CFBundleIconFiles: ['AppIcon60x60'] } },
}

export const PROFILE = {
  Name: 'Acme Ad Hoc',
  TeamIdentifier: ['ABCDE12345'],
  TeamName: 'Acme Inc.',
  ExpirationDate: new Date('2027-02-14T11:43:00.000Z'),
  DeveloperCertificates: [writeCertificate('Apple Distribution: Acme Inc.')],
  ProvisionedDevices: ['00008030-A', '00008030-B'],
  Entitlements: {
    'application-identifier': 'ABCDE12345.com.acme.app',
    'get-task-allow': false,
    'keychain-access-groups': ['ABCDE12345.*'],
  },
}

/** The header of a 64-bit executable for Apple devices. */
export const EXECUTABLE = Buffer.from('cffaedfe0c00000100000000020000000000000000000000', 'hex')

export const plistText = (value: object) => Buffer.from(build(value as never))
export const plistBinary = (value: object) => Buffer.from(buildBinary(value as never))

interface IpaParts {
  info?: object | Buffer
  profile?: object | Buffer | null
  icon?: Buffer
  more?: ZipEntry[]
}

export function ipaEntries({ info = INFO, profile = PROFILE, icon, more = [] }: IpaParts = {}) {
  const at = (name: string, content: Buffer): ZipEntry => ({
    name: `Payload/Acme.app/${name}`,
    content,
    // Stored without compression, so that sizes are predictable.
    stored: true,
  })
  const cms = Buffer.isBuffer(profile) ? profile : profile && writeCms(plistText(profile))
  return [
    at('Info.plist', Buffer.isBuffer(info) ? info : plistBinary(info)),
    at('Acme', EXECUTABLE),
    ...(cms ? [at('embedded.mobileprovision', cms)] : []),
    at('AppIcon60x60@2x.png', icon ?? writeApplePng(plainPicture(16))),
    ...more,
  ]
}

export const writeIpa = (parts?: IpaParts) => writeZip(ipaEntries(parts))

export const MANIFEST: XmlElement = {
  name: 'manifest',
  attributes: {
    versionCode: { number: 4711 },
    versionName: { text: '4.2.0' },
    package: { text: 'com.acme.app' },
  },
  children: [
    {
      name: 'uses-sdk',
      attributes: { minSdkVersion: { number: 26 }, targetSdkVersion: { number: 35 } },
    },
    { name: 'uses-permission', attributes: { name: { text: 'android.permission.INTERNET' } } },
    { name: 'uses-permission', attributes: { name: { text: 'android.permission.CAMERA' } } },
    {
      name: 'application',
      attributes: { label: { reference: LABEL }, icon: { reference: ICON } },
      children: [{ name: 'activity', attributes: { name: { text: '.Main' } } }],
    },
  ],
}

export const RESOURCES: ResourceValue[] = [
  { id: LABEL, value: { text: 'Acme auf Deutsch' }, language: 'de' },
  { id: LABEL, value: { text: 'Acme' } },
  { id: ICON, value: { text: 'res/mipmap-mdpi/ic_launcher.png' }, density: 160 },
  { id: ICON, value: { text: ICON_FILE }, density: 480 },
  { id: ICON, value: { text: 'res/mipmap-anydpi-v26/ic_launcher.xml' }, density: 0xfffe },
]

export const RELEASE_CERTIFICATE = writeCertificate('Acme')
export const DEBUG_CERTIFICATE = writeCertificate('Android Debug')

interface ApkParts {
  manifest?: XmlElement | Buffer
  resources?: ResourceValue[] | Buffer | null
  icon?: Buffer
  more?: ZipEntry[]
  block?: Buffer
}

const isElement = (value: XmlElement | Buffer): value is XmlElement => !Buffer.isBuffer(value)

export function apkEntries({
  manifest = MANIFEST,
  resources = RESOURCES,
  icon,
  more = [],
}: ApkParts = {}) {
  const table =
    resources && (Buffer.isBuffer(resources) ? resources : writeResourceTable(resources))
  const content = isElement(manifest) ? writeBinaryXml(manifest) : manifest
  return [
    { name: 'AndroidManifest.xml', content, stored: Buffer.isBuffer(manifest) },
    ...(table ? [{ name: 'resources.arsc', content: table, stored: true }] : []),
    { name: 'res/mipmap-mdpi/ic_launcher.png', content: writePng(plainPicture(4)) },
    { name: ICON_FILE, content: icon ?? writePng(plainPicture(12)) },
    { name: 'lib/arm64-v8a/libacme.so', content: 'code' },
    { name: 'lib/x86_64/libacme.so', content: 'code' },
    ...more,
  ] as ZipEntry[]
}

export function writeApk(parts: ApkParts = {}): Buffer {
  const signed = [{ scheme: 'v2' as const, certificate: RELEASE_CERTIFICATE }]
  return writeZip(apkEntries(parts), { before: parts.block ?? writeSigningBlock(signed) })
}

export function writeAab({ manifest = MANIFEST, resources = RESOURCES, more = [] }: ApkParts = {}) {
  return writeZip([
    {
      name: 'base/manifest/AndroidManifest.xml',
      stored: true,
      content: isElement(manifest) ? writeProtobufXml(manifest) : manifest,
    },
    ...(resources
      ? [
          {
            name: 'base/resources.pb',
            content: Buffer.isBuffer(resources) ? resources : writeProtobufTable(resources),
          },
        ]
      : []),
    { name: `base/${ICON_FILE}`, content: writePng(plainPicture(12)) },
    { name: 'base/lib/arm64-v8a/libacme.so', content: 'code' },
    {
      name: 'META-INF/ACME.RSA',
      content: writeCms(Buffer.from(''), { certificates: [DEBUG_CERTIFICATE] }),
    },
    ...more,
  ])
}
