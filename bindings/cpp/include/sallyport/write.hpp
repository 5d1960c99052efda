/** Writes JSON objects, e.g. the arguments of calls, with the writer of the C library. */
#ifndef SALLYPORT_WRITE_HPP
#define SALLYPORT_WRITE_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sallyport/json.h"

namespace sallyport {

/** An id of the protocol, which is decimal text in JSON. */
struct Id {
  std::uint64_t value;
};

class JsonWriter {
public:
  explicit JsonWriter(sallyport_writer *writer) : writer_(writer) {}

  void value(const std::string &text) { sallyport_write_string_n(writer_, text.data(), text.size()); }
  void value(const char *text) { sallyport_write_string(writer_, text); }
  void value(sallyport_json json) { sallyport_write_json(writer_, json); }
  void value(Id id) { sallyport_write_snowflake(writer_, id.value); }
  void value(int number) { sallyport_write_int64(writer_, number); }
  void value(std::int64_t number) { sallyport_write_int64(writer_, number); }
  void value(bool flag) { sallyport_write_bool(writer_, flag ? 1 : 0); }
  void value(const std::vector<std::string> &texts) {
    sallyport_write_array(writer_);
    for (const std::string &text : texts) value(text);
    sallyport_write_end(writer_);
  }
  void value(const std::unordered_map<std::string, std::string> &texts) {
    sallyport_write_object(writer_);
    for (const auto &[key, text] : texts) field(key.c_str(), text);
    sallyport_write_end(writer_);
  }

  template <class T> void field(const char *name, const T &one) {
    sallyport_write_key(writer_, name);
    value(one);
  }
  /** Left out if it is empty. */
  template <class T> void field(const char *name, const std::optional<T> &one) {
    if (one) field(name, *one);
  }

  template <class Fill> void object(const char *name, Fill fill) {
    sallyport_write_key(writer_, name);
    object(fill);
  }
  template <class Fill> void object(Fill fill) {
    sallyport_write_object(writer_);
    fill(*this);
    sallyport_write_end(writer_);
  }
  template <class Fill> void array(const char *name, Fill fill) {
    sallyport_write_key(writer_, name);
    sallyport_write_array(writer_);
    fill(*this);
    sallyport_write_end(writer_);
  }

private:
  sallyport_writer *writer_;
};

/** The largest arguments that any server accepts. */
inline constexpr std::size_t most_json_bytes = std::size_t{1} << 20;

/** An object that `fill` writes; nothing if a text is not UTF-8 or the object is too large. `fill` may run several times. */
template <class Fill> std::optional<std::string> json_object(Fill fill) {
  for (std::size_t size = 1024; size <= most_json_bytes; size *= 4) {
    std::string buffer(size, '\0');
    sallyport_writer writer;
    sallyport_writer_init(&writer, buffer.data(), buffer.size());
    JsonWriter(&writer).object(fill);
    if (sallyport_writer_finish(&writer) == nullptr) continue;
    buffer.resize(writer.length);
    return buffer;
  }
  return std::nullopt;
}

} // namespace sallyport

#endif
