import { modelOf } from '#foundation/core/database/model_of'
import { buckets } from '../tables.js'

/** Where builds are handed to testers. */
export default class Bucket extends modelOf(buckets) {}
