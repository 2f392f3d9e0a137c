// Writes tests/data/parquet anew:  npm ci && node make_fixtures.mjs   (and Debian's zstd)
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

import { parquetWriteFile } from 'hyparquet-writer'

const folder = join(dirname(fileURLToPath(import.meta.url)), '../data/parquet')
const zstd = (bytes) => new Uint8Array(execFileSync('zstd', ['-q', '-c'], { input: bytes }))
const compressors = { GZIP: (bytes) => new Uint8Array(gzipSync(bytes)), ZSTD: zstd }

// What stands in row i; tests/parquet/fixtures_test.cpp says the same.
const rows = Array.from({ length: 200 }, (_, i) => i)
const columnData = [
  { name: 'truth', data: rows.map((i) => i % 3 === 0), type: 'BOOLEAN', nullable: false },
  { name: 'truth_or_null', data: rows.map((i) => (i % 5 === 0 ? null : i % 2 === 0)),
    type: 'BOOLEAN', encoding: 'RLE' },
  { name: 'small', data: rows.map((i) => i * 1000 - 7), type: 'INT32', nullable: false,
    encoding: 'PLAIN' },
  { name: 'large', data: rows.map((i) => BigInt(i) * 10_000_000_000n - 3n), type: 'INT64',
    encoding: 'PLAIN' },
  { name: 'large_or_null', data: rows.map((i) => (i % 7 === 3 ? null : BigInt(i % 10))),
    type: 'INT64' },
  { name: 'single', data: rows.map((i) => i / 4), type: 'FLOAT', nullable: false },
  { name: 'double', data: rows.map((i) => i / 3), type: 'DOUBLE', encoding: 'PLAIN' },
  { name: 'word', data: rows.map((i) => `wort ${i % 4} \u00e4`), type: 'STRING' },
  { name: 'text_or_null', data: rows.map((i) => (i % 11 === 0 ? null : 'x'.repeat(i % 17))),
    type: 'STRING', encoding: 'PLAIN' },
  { name: 'parents', data: rows.map((i) => (i % 6 === 5 ? null : rows.slice(0, i % 6).map((k) => BigInt(i - k)))) },
]
const parents = [
  { name: 'parents', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', repetition_type: 'OPTIONAL', type: 'INT64' },
]
const type_of = { STRING: { type: 'BYTE_ARRAY', converted_type: 'UTF8' } }
const schema = [
  { name: 'root', num_children: columnData.length },
  ...columnData.slice(0, -1).map((one) => ({
    name: one.name, repetition_type: one.nullable === false ? 'REQUIRED' : 'OPTIONAL',
    ...(type_of[one.type] ?? { type: one.type }) })),
  ...parents,
]
for (const codec of ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'ZSTD']) {
  parquetWriteFile({
    filename: join(folder, `${codec.toLowerCase()}.parquet`),
    columnData: columnData.map(({ type, nullable, ...rest }) => rest),
    schema, codec, compressors, rowGroupSize: 80, pageSize: 200, statistics: false,
    kvMetadata: [{ key: 'small.unit', value: 's' }],
  })
}
