import type { AndroidElement, AndroidResources } from './elements.ts'
import { ProtobufResources, readProtobufXml } from './protobuf_resources.ts'
import { readBinaryXml } from './read_binary_xml.ts'
import { ResourceTable } from './read_resource_table.ts'

/** The layout of an archive, which differs between archives for devices and for the store. */
export interface AndroidLayout {
  format: 'apk' | 'aab'
  manifest: string
  resources: string
  /** The prefix of files that resources reference. */
  root: string
  /** The prefix of files that libraries leave at the root. */
  metaRoot: string
  library: RegExp
  elements(bytes: Buffer, called: string): Iterable<AndroidElement>
  table(bytes: Buffer): AndroidResources
}

export const APK: AndroidLayout = {
  format: 'apk',
  manifest: 'AndroidManifest.xml',
  resources: 'resources.arsc',
  root: '',
  metaRoot: '',
  library: /^lib\/([^/]+)\/[^/]+$/,
  elements: readBinaryXml,
  table: (bytes) => new ResourceTable(bytes),
}

export const AAB: AndroidLayout = {
  format: 'aab',
  manifest: 'base/manifest/AndroidManifest.xml',
  resources: 'base/resources.pb',
  root: 'base/',
  metaRoot: 'base/root/',
  library: /^[^/]+\/lib\/([^/]+)\/[^/]+$/,
  elements: readProtobufXml,
  table: (bytes) => new ProtobufResources(bytes),
}
