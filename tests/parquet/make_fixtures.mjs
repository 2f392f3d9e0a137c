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

// Tasks as the Workflow Trace Archive has them: [id, workflow, submit ms, runtime ms, parents, user].
const whole = ([id, workflow, submit, runtime, parents, user]) =>
  ({ id: BigInt(id), workflow_id: BigInt(workflow), ts_submit: BigInt(submit),
     runtime: BigInt(runtime), parents: parents.map(BigInt), user_id: user })
const workflows = [
  [10, 7, 6000, 1500, [], 3], [20, 4, 5000, 250, [], -1], [11, 7, 6500, 2000, [10], 3],
  [12, 7, 6500, 0, [10, 11], 3],
].map(whole)
const broken_workflows = [
  [1, 1, 0, 1000, [9], 0], [1, 2, 0, -1, [], 0], [2, 2, 0, 5, [1], 0], [2, 2, 0, 5, [], 0],
  [5, 3, 0, 5, [6], 0], [6, 3, 0, 5, [5], 0], [7, 4, 100, 5, [], 0],
].map(whole)
const element = (name, type) => ({ name, type, repetition_type: 'OPTIONAL' })
for (const [name, tasks] of [['wta', workflows], ['wta_broken', broken_workflows]]) {
  const column = (key) => ({ name: key, data: tasks.map((task) => task[key]) })
  parquetWriteFile({
    filename: join(folder, `${name}.parquet`), statistics: false,
    columnData: ['id', 'workflow_id', 'ts_submit', 'runtime', 'user_id', 'parents'].map(column),
    schema: [{ name: 'root', num_children: 6 },
      ...['id', 'workflow_id', 'ts_submit', 'runtime'].map((key) => element(key, 'INT64')),
      element('user_id', 'INT32'), ...parents],
  })
}

// Tables with instants. TIMESTAMP with and without a zone, in several units, and a date.
const timestamp = (name, unit, isAdjustedToUTC) => ({ name, type: 'INT64', repetition_type: 'OPTIONAL',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC, unit } })
const of_pods = [
  ['etl-0', 1714564800000n, 1714564805500000n, 1714564800000000000n, 2n, 5.5, [1n, 2n]],
  ['etl-1', 1714564830250n, 1714564831000000n, 1714564830250000001n, 1n, 0.75, []],
  [null, null, 1714564890000000n, 1714564860000000000n, null, null, [3n]],
]
parquetWriteFile({
  filename: join(folder, 'instants.parquet'), statistics: false,
  columnData: ['pod', 'created', 'ended', 'local', 'cores', 'took', 'parents'].map((name, at) =>
    ({ name, data: of_pods.map((row) => row[at]) })),
  schema: [{ name: 'root', num_children: 7 },
    { name: 'pod', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
    { name: 'created', type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', repetition_type: 'OPTIONAL' },
    timestamp('ended', 'MICROS', true), timestamp('local', 'NANOS', false),
    element('cores', 'INT64'), element('took', 'DOUBLE'), ...parents],
})

// OpenDC's tables, by its schemas: [id, submitted ms, duration ms, cores, MHz, MB, parents].
const texts_of = [
  { name: 'parents', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', repetition_type: 'OPTIONAL', type: 'INT32' },
]
const needed = (name, type, more = {}) => ({ name, type, repetition_type: 'REQUIRED', ...more })
const text = { converted_type: 'UTF8' }
const instant = { logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } }
const write_table = (name, columns, rows, lists = []) => parquetWriteFile({
  filename: join(folder, name), statistics: false,
  columnData: [...columns.map((column) => column.name), ...(lists.length ? ['parents'] : [])].map(
    (key, at) => ({ name: key, data: rows.map((row) => row[at]) })),
  schema: [{ name: 'root', num_children: columns.length + (lists.length ? 1 : 0) }, ...columns, ...lists],
})
write_table('opendc_tasks.parquet', [
  needed('id', 'INT32'), needed('submission_time', 'INT64', instant), needed('duration', 'INT64'),
  needed('cpu_count', 'INT32'), needed('cpu_capacity', 'DOUBLE'), needed('mem_capacity', 'INT64')], [
  [7, 1376314846000n, 300000n, 4, 2926, 4096n, []],
  [8, 1376314840000n, 1500n, 1, 2926, 512n, []],
  [9, 1376314850000n, 60000n, 2, 2926, 1000n, [7, 8]],
  [11, 1376314900000n, 1000n, 1, 2926, 100n, []],
], texts_of)
write_table('opendc_fragments.parquet', [
  needed('id', 'INT32'), needed('duration', 'INT64'), needed('cpu_usage', 'DOUBLE')],
  [[7, 300000n, 1200.5], [8, 1500n, 20]])
write_table('opendc_meta.parquet', [
  needed('id', 'BYTE_ARRAY', text), needed('start_time', 'INT64', instant),
  needed('stop_time', 'INT64', instant), needed('cpu_count', 'INT32'),
  needed('cpu_capacity', 'DOUBLE'), needed('mem_capacity', 'INT64')], [
  ['1019', 1376314846000n, 1376315146000n, 1, 2926, 2000n],
  ['1023', 1376314846500n, 1376314846500n, 8, 2926, 16000n],
])
write_table('opendc_broken.parquet', [
  needed('id', 'INT32'), needed('submission_time', 'INT64', instant), needed('duration', 'INT64'),
  needed('cpu_count', 'INT32'), needed('cpu_capacity', 'DOUBLE'), needed('mem_capacity', 'INT64')], [
  [1, 5000n, -1n, 4, 2926, 4096n, []], [2, 5000n, 1000n, 0, 2926, -5n, []],
  [3, 5000n, 1000n, 1, 2926, 5n, [99]], [3, 5000n, 1000n, 1, 2926, 5n, []],
  [5, 5000n, 1000n, 1, 2926, 5n, [6]], [6, 5000n, 1000n, 1, 2926, 5n, [5]],
  [8, 6000n, 1000n, 1, 2926, 5n, []],
], texts_of)
