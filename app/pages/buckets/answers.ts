import type { BuildDistroBucketEntity, BuildDistroBuildEntity } from '#distribution/entities'
import type { TesterDeviceEntity } from '#distribution/devices/entities'
import type { InstallLinkEntity } from '#distribution/install_pages/entities'
import type { NamedApp } from '../keys/answers.js'
import type { PageOf } from '../release/answers.js'

export type Bucket = BuildDistroBucketEntity
export type Build = BuildDistroBuildEntity
export type Link = InstallLinkEntity

export interface BucketsAnswers {
  app: NamedApp
  buckets: readonly Bucket[]
}

export interface BucketFormAnswers {
  app: NamedApp
  /** Null on the form for a new bucket. */
  bucket: Bucket | null
  /** The entity tag of the bucket. */
  tag: string | null
}

export interface BucketAnswers {
  app: NamedApp
  bucket: Bucket
  builds: PageOf<Build>
  /** The newest install links; null for readers who may not upload into the bucket. */
  links: PageOf<Link> | null
  /** The newest devices of testers; null for readers who are not bucket admins. */
  devices: PageOf<TesterDeviceEntity> | null
  baseUrl: string
}

export interface BuildAnswers {
  app: NamedApp
  bucket: Bucket
  build: Build
  tag: string
  /** True if the reader may create install links. */
  mayLink: boolean
  /** True if the reader is an admin of the bucket. */
  isAdmin: boolean
}

export interface NewLinkAnswers {
  bucket: Bucket
  /** Builds that can be installed, the newest first. */
  builds: readonly Build[]
}

export interface LinkAnswers {
  bucket: Bucket
  link: Link
  tag: string
  /** The build that the link opens; null for the newest build, or if the build was deleted. */
  build: Build | null
}
