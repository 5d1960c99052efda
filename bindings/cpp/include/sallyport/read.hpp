/**
 * Reads JSON values into C++ values. A value that is missing, null or of another type leaves its target as it is, and
 * `read` returns false.
 */
#ifndef SALLYPORT_READ_HPP
#define SALLYPORT_READ_HPP

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sallyport/json.h"

namespace sallyport {

/** JSON of any shape, as its text. */
struct RawJson {
  std::string text;
  /** Valid as long as this object. */
  sallyport_json json() const { return {text.empty() ? nullptr : text.data(), text.size()}; }
};

inline bool read(sallyport_json value, RawJson &target) {
  const sallyport_json_type type = sallyport_json_type_of(value);
  if (type == SALLYPORT_JSON_MISSING || type == SALLYPORT_JSON_NULL) return false;
  target.text.assign(value.text, value.length);
  return true;
}

inline bool read(sallyport_json value, std::string &target) {
  if (sallyport_json_type_of(value) != SALLYPORT_JSON_STRING) return false;
  /* Unescaping never makes a text longer; one byte more is for the zero at its end. */
  std::string text(value.length + 1, '\0');
  std::size_t length = 0;
  if (sallyport_json_string(value, text.data(), text.size(), &length) == 0) return false;
  text.resize(length);
  target = std::move(text);
  return true;
}

/** An id: decimal text or a whole number. */
inline bool read(sallyport_json value, std::uint64_t &target) { return sallyport_json_snowflake(value, &target) != 0; }

inline bool read(sallyport_json value, std::int64_t &target) { return sallyport_json_int64(value, &target) != 0; }

inline bool read(sallyport_json value, double &target) { return sallyport_json_double(value, &target) != 0; }

inline bool read(sallyport_json value, bool &target) {
  int flag = 0;
  if (sallyport_json_bool(value, &flag) == 0) return false;
  target = flag != 0;
  return true;
}

/** Items that cannot be read are left out. */
template <class T> bool read(sallyport_json value, std::vector<T> &target) {
  if (sallyport_json_type_of(value) != SALLYPORT_JSON_ARRAY) return false;
  sallyport_json_iterator items = sallyport_json_iterate(value);
  sallyport_json item;
  target.clear();
  while (sallyport_json_next(&items, nullptr, &item) != 0) {
    T one{};
    if (read(item, one)) target.push_back(std::move(one));
  }
  return true;
}

template <class T> bool read(sallyport_json value, std::map<std::string, T> &target) {
  if (sallyport_json_type_of(value) != SALLYPORT_JSON_OBJECT) return false;
  sallyport_json_iterator members = sallyport_json_iterate(value);
  sallyport_json key;
  sallyport_json member;
  target.clear();
  while (sallyport_json_next(&members, &key, &member) != 0) {
    std::string name;
    T one{};
    if (read(key, name) && read(member, one)) target[std::move(name)] = std::move(one);
  }
  return true;
}

template <class T> bool read(sallyport_json value, std::optional<T> &target) {
  T one{};
  if (!read(value, one)) return false;
  target = std::move(one);
  return true;
}

} // namespace sallyport

#endif
